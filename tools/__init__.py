"""What maintains the project and is no part of the package: the site, the gallery, a release."""
