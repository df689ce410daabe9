package main

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	collection = "/api/v1/namespaces/" + namespace + "/configmaps"
	labelKey   = "client-go-load"
)

func selectorOf(name string) string { return labelKey + "=" + name }

// What an object says about itself, so that the content of one is never taken for that of another.
func textOf(name string, revision int) string {
	return fmt.Sprintf("this is %s, revision %d", name, revision)
}

func checkText(object *corev1.ConfigMap, name string, revision int) error {
	if object.Name != name || object.Data["text"] != textOf(name, revision) || object.ResourceVersion == "" {
		return fmt.Errorf("the answer is %q with %q, not revision %d of %q", object.Name, object.Data["text"], revision, name)
	}
	return nil
}

// The requests in turn; half of them write. What needs an object makes one when there is none.
func (l *load) requestOf(number int) request {
	name := fmt.Sprintf("%s-%d", l.name, number)
	switch number % 10 {
	case 0:
		return l.making(name, &l.kept)
	case 1, 6:
		return l.listing()
	case 2, 7:
		if object := l.newestKept(); object != nil {
			return l.reading(object.Name)
		}
		return l.version()
	case 3:
		return l.version()
	case 4, 8:
		if object := l.take(&l.fresh); object != nil {
			return l.changing(object)
		}
	case 9:
		if object := l.take(&l.changed); object != nil {
			return l.removing(object)
		}
	}
	return l.making(name, &l.fresh)
}

func (l *load) version() request {
	return request{"GET", "/version", func(ctx context.Context) error {
		answer, err := l.client.Discovery().RESTClient().Get().AbsPath("/version").Do(ctx).Raw()
		if err != nil {
			return err
		}
		var version struct{ GitVersion string }
		if err := json.Unmarshal(answer, &version); err != nil {
			return err
		}
		if version.GitVersion == "" {
			return fmt.Errorf("the answer has no version: %s", answer)
		}
		return nil
	}}
}

func (l *load) listing() request {
	return request{"LIST", collection, func(ctx context.Context) error {
		list, err := l.client.CoreV1().ConfigMaps(namespace).List(ctx, l.selection())
		if err != nil {
			return err
		}
		for at := range list.Items {
			item := &list.Items[at]
			if checkText(item, item.Name, 1) != nil && checkText(item, item.Name, 2) != nil {
				return fmt.Errorf("%q is listed with %q", item.Name, item.Data["text"])
			}
		}
		return nil
	}}
}

func (l *load) reading(name string) request {
	return request{"GET", collection + "/" + name, func(ctx context.Context) error {
		object, err := l.client.CoreV1().ConfigMaps(namespace).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		return checkText(object, name, 1)
	}}
}

func (l *load) making(name string, into *[]*corev1.ConfigMap) request {
	return request{"CREATE", collection + "/" + name, func(ctx context.Context) error {
		wish := &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{labelKey: l.name}},
			Data:       map[string]string{"text": textOf(name, 1)},
		}
		object, err := l.client.CoreV1().ConfigMaps(namespace).Create(ctx, wish, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		l.confirm(&l.result.Made, name)
		l.put(into, object)
		return checkText(object, name, 1)
	}}
}

func (l *load) changing(before *corev1.ConfigMap) request {
	return request{"UPDATE", collection + "/" + before.Name, func(ctx context.Context) error {
		wish := before.DeepCopy()
		wish.Data["text"] = textOf(before.Name, 2)
		object, err := l.client.CoreV1().ConfigMaps(namespace).Update(ctx, wish, metav1.UpdateOptions{})
		if err != nil {
			return err
		}
		l.confirm(&l.result.Changed, before.Name)
		l.put(&l.changed, object)
		if object.ResourceVersion == before.ResourceVersion {
			return fmt.Errorf("the answer is as old as the object was")
		}
		return checkText(object, before.Name, 2)
	}}
}

func (l *load) removing(object *corev1.ConfigMap) request {
	return request{"DELETE", collection + "/" + object.Name, func(ctx context.Context) error {
		options := metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(object.UID))}
		if err := l.client.CoreV1().ConfigMaps(namespace).Delete(ctx, object.Name, options); err != nil {
			return err
		}
		l.confirm(&l.result.Removed, object.Name)
		return nil
	}}
}
