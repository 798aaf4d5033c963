package main

import (
	"io"
	"os"
	"time"
)

var stdin = os.Stdin

// plainReader and plainWriter hide everything but Read and Write, so that io.Copy moves 32 KiB at a time as it does
// for the streams of client-go.
type plainReader struct{ io.Reader }

type plainWriter struct{ io.Writer }

// pour writes count zero bytes in steps of 32 KiB.
func pour(to io.Writer, count int64) {
	chunk := make([]byte, 32*1024)
	for count > 0 {
		step := min(count, int64(len(chunk)))
		if _, err := to.Write(chunk[:step]); err != nil {
			return
		}
		count -= step
	}
}

func megabytesPerSecond(count int64, start time.Time) int64 {
	return int64(float64(count) / 1e6 / time.Since(start).Seconds())
}
