package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"

	"github.com/moby/spdystream"
)

// serve accepts SPDY connections on a free loopback port, which it prints, until its stdin ends.
func serve() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	go func() {
		io.Copy(io.Discard, stdin)
		listener.Close()
	}()
	for {
		conn, err := listener.Accept()
		if err != nil {
			return nil
		}
		session, err := spdystream.NewConnection(conn, true)
		if err != nil {
			return err
		}
		go func() {
			session.Serve(func(stream *spdystream.Stream) { accept(session, stream) })
			conn.Close()
		}()
	}
}

// accept answers one stream. It runs in the worker that also delivers the stream's data, so it must not block.
func accept(session *spdystream.Connection, stream *spdystream.Stream) {
	behaviour := stream.Headers().Get("behaviour")
	switch behaviour {
	case "refuse":
		stream.Reset()
		return
	case "silent":
		return
	}
	stream.SendReply(http.Header{}, false)
	go behave(session, stream, behaviour)
}

func behave(session *spdystream.Connection, stream *spdystream.Stream, behaviour string) {
	switch behaviour {
	case "echo":
		io.CopyBuffer(plainWriter{stream}, plainReader{stream}, make([]byte, 32*1024))
		stream.Close()
	case "sink":
		// The count of what came is the answer: the read side ends first, the write side lives on.
		count, _ := io.Copy(io.Discard, plainReader{stream})
		fmt.Fprint(stream, count)
		stream.Close()
	case "source":
		count, _ := strconv.ParseInt(stream.Headers().Get("bytes"), 10, 64)
		pour(stream, count)
		stream.Close()
		io.Copy(io.Discard, plainReader{stream})
	case "reset":
		fmt.Fprint(stream, "last words")
		stream.Reset()
	case "close-then-reset":
		fmt.Fprint(stream, "done")
		stream.Close()
		stream.Reset()
	case "stall":
		// Replied, and never read.
	case "goaway":
		fmt.Fprint(stream, "bye")
		session.Close()
	}
}
