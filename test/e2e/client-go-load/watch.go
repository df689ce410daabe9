package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/metrics"
	watchtools "k8s.io/client-go/tools/watch"
)

type watchReport struct {
	// The names in the order of their events, each as often as it came.
	Added    []string `json:"added"`
	Modified []string `json:"modified"`
	Deleted  []string `json:"deleted"`
	// How often the stream ended and was taken up again where it had stopped.
	Resumed int `json:"resumed"`
	// Why it could not be taken up, each time.
	Refusals []string `json:"refusals"`
	// Why there are no more events at all; empty as long as there are.
	Lost string `json:"lost"`
}

// A heldWatch records every event. client-go's RetryWatcher goes on after the last event and never lists again, so an event
// that the server does not give is missing for good.
type heldWatch struct {
	watcher *watchtools.RetryWatcher
	ended   chan struct{}
	news    chan struct{}

	mutex  sync.Mutex
	isOver bool
	result watchReport
}

// Begins after everything that there is now.
func holdWatch(client kubernetes.Interface, name string) (*heldWatch, error) {
	configMaps := client.CoreV1().ConfigMaps(namespace)
	ctx, cancel := context.WithTimeout(context.Background(), longestWait)
	defer cancel()
	list, err := configMaps.List(ctx, metav1.ListOptions{LabelSelector: selectorOf(name)})
	if err != nil {
		return nil, err
	}
	held := &heldWatch{
		ended:  make(chan struct{}),
		news:   make(chan struct{}, 1),
		result: watchReport{Added: []string{}, Modified: []string{}, Deleted: []string{}, Refusals: []string{}, Resumed: -1},
	}
	begin := func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
		options.LabelSelector = selectorOf(name)
		stream, err := configMaps.Watch(ctx, options)
		held.noteBeginning(err)
		return stream, err
	}
	source := &cache.ListWatch{WatchFuncWithContext: begin}
	held.watcher, err = watchtools.NewRetryWatcherWithContext(context.Background(), list.ResourceVersion, source)
	if err != nil {
		return nil, err
	}
	go held.follow()
	return held, nil
}

func (h *heldWatch) noteBeginning(err error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.isOver {
		return
	}
	if err != nil {
		h.result.Refusals = append(h.result.Refusals, time.Now().UTC().Format("15:04:05.000 ")+err.Error())
		return
	}
	h.result.Resumed++
}

func (h *heldWatch) follow() {
	defer close(h.ended)
	for event := range h.watcher.ResultChan() {
		h.noteEvent(event)
		select {
		case h.news <- struct{}{}:
		default:
		}
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if !h.isOver && h.result.Lost == "" {
		h.result.Lost = "the watch ended without a reason"
	}
}

func (h *heldWatch) noteEvent(event watch.Event) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	object, isConfigMap := event.Object.(*corev1.ConfigMap)
	switch {
	case event.Type == watch.Error:
		h.result.Lost = apierrors.FromObject(event.Object).Error()
	case !isConfigMap:
		h.result.Lost = fmt.Sprintf("an event of a %T", event.Object)
	case event.Type == watch.Added:
		h.result.Added = append(h.result.Added, object.Name)
	case event.Type == watch.Modified:
		h.result.Modified = append(h.result.Modified, object.Name)
	case event.Type == watch.Deleted:
		h.result.Deleted = append(h.result.Deleted, object.Name)
	}
}

func (h *heldWatch) seen() int {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return len(h.result.Added) + len(h.result.Modified) + len(h.result.Deleted)
}

// Waits until as many events have come as there must be, or for as long as one waits.
func (h *heldWatch) await(events int, longest time.Duration) {
	deadline := time.After(longest)
	for h.seen() < events {
		select {
		case <-h.news:
		case <-h.ended:
			return
		case <-deadline:
			return
		}
	}
}

func (h *heldWatch) end() watchReport {
	h.mutex.Lock()
	h.isOver = true
	h.mutex.Unlock()
	h.watcher.Stop()
	<-h.ended
	return h.result
}

// What client-go counts of its own accord; nothing of what it does is changed.
type repeats struct {
	mutex sync.Mutex
	list  []string
}

func countRepeats() *repeats {
	counted := &repeats{list: []string{}}
	metrics.Register(metrics.RegisterOpts{RequestRetry: counted})
	return counted
}

// IncrementRetry is called by client-go when an attempt after the first has ended.
func (r *repeats) IncrementRetry(_ context.Context, code, method, _ string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.list = append(r.list, fmt.Sprintf("%s %s, then %s", time.Now().UTC().Format("15:04:05.000"), method, code))
}

func (r *repeats) all() []string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.list
}
