"""Language models: one protocol, endpoints, local weights, and a scripted stand-in."""
