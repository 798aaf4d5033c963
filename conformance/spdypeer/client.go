package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/moby/spdystream"
)

// replyTimeout is what client-go waits for a SYN_REPLY.
const replyTimeout = 30 * time.Second

// runClient plays one scenario against the SPDY server at an address and prints what it saw.
func runClient(args []string) error {
	address, scenario := args[0], args[1]
	count := int64(0)
	if len(args) > 2 {
		count, _ = strconv.ParseInt(args[2], 10, 64)
	}
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	session, err := spdystream.NewConnection(conn, false)
	if err != nil {
		return err
	}
	go session.Serve(spdystream.NoOpStreamHandler)
	play, known := scenarios[scenario]
	if !known {
		return fmt.Errorf("unknown scenario %q", scenario)
	}
	return play(session, count)
}

var scenarios = map[string]func(*spdystream.Connection, int64) error{
	"streams":  playStreams,
	"upload":   playUpload,
	"download": playDownload,
	"echo":     playEcho,
	"refused":  playRefused,
	"reset":    playReset,
	"ping":     playPing,
	"goaway":   playGoAway,
	"close":    playClose,
}

func open(session *spdystream.Connection, headers map[string]string) (*spdystream.Stream, error) {
	header := http.Header{}
	for name, value := range headers {
		header.Set(name, value)
	}
	stream, err := session.CreateStream(header, nil, false)
	if err != nil {
		return nil, err
	}
	return stream, stream.WaitTimeout(replyTimeout)
}

// playStreams opens many streams one after the other, each with its own header, and has each echo a word.
func playStreams(session *spdystream.Connection, count int64) error {
	for index := range count {
		word := fmt.Sprintf("stream %d", index)
		stream, err := open(session, map[string]string{"behaviour": "echo", "port": strconv.FormatInt(index, 10)})
		if err != nil {
			return fmt.Errorf("opening %s: %w", word, err)
		}
		fmt.Fprint(stream, word)
		stream.Close()
		back, err := io.ReadAll(plainReader{stream})
		if err != nil || string(back) != word {
			return fmt.Errorf("%s echoed %q, %v", word, back, err)
		}
	}
	fmt.Println(count, "echoed")
	return nil
}

// playUpload sends count bytes, half-closes, and then reads the server's count of them.
func playUpload(session *spdystream.Connection, count int64) error {
	stream, err := open(session, map[string]string{"behaviour": "sink"})
	if err != nil {
		return err
	}
	start := time.Now()
	pour(stream, count)
	stream.Close()
	answer, err := io.ReadAll(plainReader{stream})
	fmt.Println(string(answer), "bytes arrived, MB/s:", megabytesPerSecond(count, start))
	return err
}

// playDownload reads count bytes until the server's FIN.
func playDownload(session *spdystream.Connection, count int64) error {
	stream, err := open(session, map[string]string{"behaviour": "source", "bytes": strconv.FormatInt(count, 10)})
	if err != nil {
		return err
	}
	start := time.Now()
	received, err := io.CopyBuffer(io.Discard, plainReader{stream}, make([]byte, 32*1024))
	fmt.Println(received, "bytes received, MB/s:", megabytesPerSecond(count, start))
	stream.Close()
	return err
}

func playEcho(session *spdystream.Connection, count int64) error {
	stream, err := open(session, map[string]string{"behaviour": "echo"})
	if err != nil {
		return err
	}
	go func() {
		pour(stream, count)
		stream.Close()
	}()
	received, err := io.Copy(io.Discard, plainReader{stream})
	fmt.Println(received, "bytes came back")
	return err
}

func playRefused(session *spdystream.Connection, _ int64) error {
	_, err := open(session, map[string]string{"behaviour": "refuse"})
	fmt.Println("refused:", err)
	_, err = open(session, map[string]string{"behaviour": "echo"})
	fmt.Println("next:", err)
	return nil
}

func playReset(session *spdystream.Connection, _ int64) error {
	stream, err := open(session, map[string]string{"behaviour": "reset"})
	if err != nil {
		return err
	}
	words, err := io.ReadAll(plainReader{stream})
	fmt.Printf("%s, %v, close: %v\n", words, err, stream.Close())
	return nil
}

func playPing(session *spdystream.Connection, count int64) error {
	for range count {
		if _, err := session.Ping(); err != nil {
			return err
		}
	}
	fmt.Println(count, "pings answered")
	return nil
}

// playGoAway has the server close the session and sees the streams end.
func playGoAway(session *spdystream.Connection, _ int64) error {
	stream, err := open(session, map[string]string{"behaviour": "goaway"})
	if err != nil {
		return err
	}
	words, err := io.ReadAll(plainReader{stream})
	<-session.CloseChan()
	fmt.Printf("%s, %v, closed\n", words, err)
	return nil
}

// playClose leaves with one stream open.
func playClose(session *spdystream.Connection, _ int64) error {
	if _, err := open(session, map[string]string{"behaviour": "echo"}); err != nil {
		return err
	}
	if err := session.Close(); err != nil {
		return err
	}
	<-session.CloseChan()
	fmt.Println("closed")
	return nil
}
