"""Makes the small weights that the product ships, from examples kept beside them."""
