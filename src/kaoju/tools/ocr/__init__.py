"""Text of images and scanned pages."""
