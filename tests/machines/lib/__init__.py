"""From a description of a machine to its captured tree."""
