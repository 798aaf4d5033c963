// Command effectiveuid prints the effective user id of its process, the way critest's NoNewPrivs specs expect it.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Printf("Effective uid: %d\n", os.Geteuid())
}
