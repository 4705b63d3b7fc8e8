#!/bin/sh
# Installs what some tests need beyond Python: a browser that opens pages. Where that is not possible it says so, and
# these tests are skipped.
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then
    echo "A browser for the tests of pages: $(command -v "$name")"
    exit 0
  fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "Installing Chromium, for the tests of pages."
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
else
  echo "There is no Chromium, and no right to install it here: the tests of pages will be skipped."
fi
