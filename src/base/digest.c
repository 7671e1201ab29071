/* Digests of texts. Hides libmd. */
#include <sha256.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/text.h>

char *text_sha256(const char *text)
{
	char *digest = alloc_zero(SHA256_DIGEST_STRING_LENGTH, 1);

	SHA256Data((const uint8_t *)text, strlen(text), digest);
	return digest;
}
