// Command spdypeer is the Go side of the SPDY conversations: github.com/moby/spdystream as server and as client, on
// plain TCP. What a stream does is chosen by its header "behaviour".
package main

import (
	"fmt"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: spdypeer serve | spdypeer client ADDRESS SCENARIO [COUNT]")
	}
	var err error
	switch os.Args[1] {
	case "serve":
		err = serve()
	case "client":
		err = runClient(os.Args[2:])
	default:
		err = fmt.Errorf("unknown command %q", os.Args[1])
	}
	if err != nil {
		log.Fatal(err)
	}
}
