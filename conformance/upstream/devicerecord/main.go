// Command device-record reads the kubelet's record of devices as upstream's kubelet does, and writes it anew: what it reads
// with a wrong checksum is refused.
package main

import (
	"fmt"
	"os"

	"k8s.io/kubernetes/pkg/kubelet/cm/devicemanager/checkpoint"
)

func main() {
	if err := rewrite(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func rewrite(from, to string) error {
	blob, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	read := checkpoint.New(nil, nil)
	if err := read.UnmarshalCheckpoint(blob); err != nil {
		return err
	}
	if err := read.VerifyChecksum(); err != nil {
		return err
	}
	entries, registered := read.GetData()
	written, err := checkpoint.New(entries, registered).MarshalCheckpoint()
	if err != nil {
		return err
	}
	return os.WriteFile(to, written, 0o600)
}
