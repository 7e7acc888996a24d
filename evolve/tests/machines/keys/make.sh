#!/bin/sh
# Makes the certificates of these tests anew, good for a hundred years. They protect nothing.
set -eu
cd "$(dirname "$0")"
key() { openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"; }
signed() {
    key "$1"
    openssl req -new -key "$1.key" -subj "/CN=$1" -out "$1.csr"
    printf 'subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth,clientAuth\n' >"$1.ext"
    openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 36500 -extfile "$1.ext" -out "$1.pem"
    rm "$1.csr" "$1.ext"
}
key ca
openssl req -new -x509 -key ca.key -subj "/CN=evolve's tests" -days 36500 -out ca.pem
signed server
signed worker
rm ca.key ca.srl
