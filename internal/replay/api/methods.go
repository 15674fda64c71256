package api

import "net/http"

// Methods are the methods of requests that servers have handlers for.
var Methods = []string{
	http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodHead,
	http.MethodOptions,
}
