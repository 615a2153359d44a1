"""What `manage.py up` is made of."""
