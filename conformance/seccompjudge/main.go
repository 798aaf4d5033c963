// Prints containerd's default seccomp profile for a process whose bounding set are the arguments, as JSON.
package main

import (
	"encoding/json"
	"os"

	"github.com/containerd/containerd/v2/contrib/seccomp"
	specs "github.com/opencontainers/runtime-spec/specs-go"
)

func main() {
	capabilities := &specs.LinuxCapabilities{Bounding: os.Args[1:]}
	spec := &specs.Spec{Process: &specs.Process{Capabilities: capabilities}}
	if err := json.NewEncoder(os.Stdout).Encode(seccomp.DefaultProfile(spec)); err != nil {
		panic(err)
	}
}
