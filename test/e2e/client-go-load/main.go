// Command client-go-load is a steady client of an API server: twenty requests a second and a held watch, with client-go as
// it comes. It works until its standard input ends. Each line that it prints is a JSON document: how many requests have been
// sent so far, about once a second, and at the end the report.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	perSecond = 20
	// A request without an answer by then has failed.
	longestWait = 10 * time.Second
	// The last events may come after the last answers.
	longestWaitForEvents = 15 * time.Second
	namespace            = "default"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "whom to send requests to")
	name := flag.String("name", "client-go", "what the names of all objects begin with")
	flag.Parse()
	if err := run(*kubeconfig, *name); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(kubeconfig, name string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	// The client's own limit would hide how fast the server answers.
	config.QPS, config.Burst = 1000, 1000
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	repeats := countRepeats()
	watch, err := holdWatch(client, name)
	if err != nil {
		return err
	}
	load := newLoad(client, name)
	load.sendUntil(inputEnds(), func(sent int) { write(map[string]int{"sent": sent}) })
	load.awaitAnswers()
	watch.await(load.writes(), longestWaitForEvents)
	write(map[string]any{"report": report{
		loadReport:  load.report(),
		WatchReport: watch.end(),
		Repeated:    repeats.all(),
	}})
	return nil
}

// The report of everything; the names of its fields are those that the reader expects.
type report struct {
	loadReport
	WatchReport watchReport `json:"watch"`
	// What client-go itself sent again, because it was told to come later or because the connection had ended.
	Repeated []string `json:"repeated"`
}

func inputEnds() <-chan struct{} {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	return ended
}

func write(document any) {
	if err := json.NewEncoder(os.Stdout).Encode(document); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
