// Command claim-record reads the kubelet's record of prepared claims as upstream's kubelet does, and writes it anew: what it
// reads with a wrong checksum is refused.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/kubernetes/pkg/kubelet/cm/dra/state"
)

func main() {
	if err := rewrite(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func rewrite(from, to string) error {
	reader, err := state.NewCheckpointer(filepath.Dir(from), filepath.Base(from))
	if err != nil {
		return err
	}
	read, err := reader.GetOrCreate()
	if err != nil {
		return err
	}
	claims, err := read.GetClaimInfoStateList()
	if err != nil {
		return err
	}
	written, err := state.NewCheckpoint(claims)
	if err != nil {
		return err
	}
	writer, err := state.NewCheckpointer(filepath.Dir(to), filepath.Base(to))
	if err != nil {
		return err
	}
	return writer.Store(written)
}
