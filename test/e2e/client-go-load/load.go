package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// A failure is a request whose answer did not come or was not the right one.
type failure struct {
	At    string `json:"at"`
	Verb  string `json:"verb"`
	Path  string `json:"path"`
	Error string `json:"error"`
}

type loadReport struct {
	Sent      int       `json:"sent"`
	Failures  []failure `json:"failures"`
	SlowestMs int64     `json:"slowestMs"`
	// The names of ConfigMaps in the order in which the server confirmed that they were made, changed and removed.
	Made    []string `json:"made"`
	Changed []string `json:"changed"`
	Removed []string `json:"removed"`
}

// A load sends requests at a steady pace, whatever became of those before. No request is sent twice by it.
type load struct {
	client   kubernetes.Interface
	name     string
	underWay sync.WaitGroup

	mutex  sync.Mutex
	result loadReport
	// Objects that are there: some that nobody touches again, and those that wait to be changed and to be removed.
	kept, fresh, changed []*corev1.ConfigMap
}

func newLoad(client kubernetes.Interface, name string) *load {
	return &load{client: client, name: name, result: loadReport{
		Failures: []failure{}, Made: []string{}, Changed: []string{}, Removed: []string{},
	}}
}

func (l *load) sendUntil(ended <-chan struct{}, tell func(sent int)) {
	pace := time.NewTicker(time.Second / perSecond)
	defer pace.Stop()
	for number := 0; ; number++ {
		select {
		case <-ended:
			return
		case <-pace.C:
		}
		request := l.requestOf(number)
		l.underWay.Add(1)
		go func() {
			defer l.underWay.Done()
			l.send(request)
		}()
		l.mutex.Lock()
		l.result.Sent++
		l.mutex.Unlock()
		if (number+1)%perSecond == 0 {
			tell(number + 1)
		}
	}
}

func (l *load) awaitAnswers() { l.underWay.Wait() }

func (l *load) report() loadReport {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.result
}

// How many events the confirmed writes give.
func (l *load) writes() int {
	result := l.report()
	return len(result.Made) + len(result.Changed) + len(result.Removed)
}

// A request and the check of its answer.
type request struct {
	verb, path string
	do         func(ctx context.Context) error
}

func (l *load) send(request request) {
	ctx, cancel := context.WithTimeout(context.Background(), longestWait)
	defer cancel()
	began := time.Now()
	err := request.do(ctx)
	took := time.Since(began)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.result.SlowestMs = max(l.result.SlowestMs, took.Milliseconds())
	if err != nil {
		at := began.UTC().Format("15:04:05.000") + fmt.Sprintf(" +%d ms", took.Milliseconds())
		l.result.Failures = append(l.result.Failures, failure{at, request.verb, request.path, err.Error()})
	}
}

// Records a write that the server has confirmed.
func (l *load) confirm(names *[]string, name string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	*names = append(*names, name)
}

func (l *load) put(into *[]*corev1.ConfigMap, object *corev1.ConfigMap) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	*into = append(*into, object)
}

// Takes the one that has waited longest, so that no other request has it.
func (l *load) take(from *[]*corev1.ConfigMap) *corev1.ConfigMap {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if len(*from) == 0 {
		return nil
	}
	taken := (*from)[0]
	*from = (*from)[1:]
	return taken
}

func (l *load) newestKept() *corev1.ConfigMap {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if len(l.kept) == 0 {
		return nil
	}
	return l.kept[len(l.kept)-1]
}

func (l *load) selection() metav1.ListOptions {
	return metav1.ListOptions{LabelSelector: selectorOf(l.name), Limit: 20}
}
