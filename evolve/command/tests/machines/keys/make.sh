#!/bin/sh
# Make the certificates of these tests, valid for a hundred years. They protect nothing.
set -eu
cd "$(dirname "$0")"
key() { openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"; }
key ca
openssl req -new -x509 -key ca.key -subj "/CN=evolve's tests" -days 36500 -out ca.pem
key server
openssl req -new -key server.key -subj "/CN=server" -out server.csr
printf 'subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n' >server.ext
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 36500 -extfile server.ext -out server.pem
rm ca.key ca.srl server.csr server.ext
