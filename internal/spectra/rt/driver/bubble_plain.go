//go:build !zspectra_runtime

package driver

// This file runs a sequence without a bubble, where the Go release has none we know.

func (d *driver) bubble(main, answer func()) (fresh bool) { return d.plain(main, answer) }

func settle(bool) {}
