"""Chinese and English text: one normal form, tokens, sentences, amounts, times and names."""
