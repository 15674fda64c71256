package api

import "net/http"

// A Route is what a request asks a server for: a path, and a method in capital letters, "" for any.
type Route struct{ Method, Path string }

// Methods are the methods of requests that servers have handlers for.
var Methods = []string{
	http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodHead,
	http.MethodOptions,
}
