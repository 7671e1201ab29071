"""The VM rig: boots described machines under QEMU and runs guest scripts in them; knows nothing of steerd's rules."""
