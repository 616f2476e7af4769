#!/bin/sh
# Writes the secrets that compose.yaml reads, into ./secrets or a given folder. What is there stays as it is.
set -eu
folder=${1:-$(dirname "$0")/secrets}
if [ -e "$folder" ]; then
  echo "$folder is there already" >&2
  exit 1
fi
random() { od -An -tx1 -N32 /dev/urandom | tr -d ' \n'; }
# The folder keeps other users out; the files are read by the containers, each as a user of its own.
mkdir -m 700 "$folder"
umask 022
password=$(random)
printf %s "$password" > "$folder/database-password"
printf %s "postgres://assay:$password@postgres:5432/assay" > "$folder/database-url"
printf %s assay > "$folder/s3-access-key-id"
random > "$folder/s3-secret-access-key"
random > "$folder/auth-secret"
