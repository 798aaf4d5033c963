// Writes each value of standard input, one a line as JSON, as upstream's KYAML: a string of JSON a line.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"

	"sigs.k8s.io/yaml/kyaml"
)

func main() {
	decoder := json.NewDecoder(bufio.NewReader(os.Stdin))
	decoder.UseNumber()
	encoder := json.NewEncoder(os.Stdout)
	for {
		var value any
		if err := decoder.Decode(&value); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			panic(err)
		}
		var written bytes.Buffer
		if err := (&kyaml.Encoder{}).FromObject(value, &written); err != nil {
			panic(err)
		}
		if err := encoder.Encode(written.String()); err != nil {
			panic(err)
		}
	}
}
