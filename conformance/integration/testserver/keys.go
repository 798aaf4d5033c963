//go:build wherry

package testing

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"time"
)

// serviceAccountKey signs tokens of test servers.
var serviceAccountKey = newServiceAccountKey()

func newServiceAccountKey() string {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	encoded, err := encodeKey(key)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

func encodeKey(key *ecdsa.PrivateKey) ([]byte, error) {
	bytes, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: bytes}), nil
}

// writeProxyClient makes the certificate by which the server speaks for its users to extension servers.
func writeProxyClient(proxy *ProxyCA, at func(string) string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := x509.Certificate{
		Subject:      pkix.Name{CommonName: "misty"},
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		NotBefore:    proxy.ProxySigningCert.NotBefore,
		NotAfter:     time.Now().Add(10_000 * time.Hour),
		KeyUsage:     x509.KeyUsageKeyEncipherment | x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	bytes, err := x509.CreateCertificate(rand.Reader, &template, proxy.ProxySigningCert, key.Public(), proxy.ProxySigningKey)
	if err != nil {
		return err
	}
	encoded, err := encodeKey(key)
	if err != nil {
		return err
	}
	if err := os.WriteFile(at("misty-crt.key"), encoded, 0o600); err != nil {
		return err
	}
	return os.WriteFile(at("misty-crt.crt"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: bytes}), 0o644)
}
