"""The vocabulary of Kaoju: frozen values without I/O, clock or rules."""
