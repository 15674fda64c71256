//go:build !race

package json_test

const raced = false
