//go:build !linux

package faults

import "errors"

func mountSmall(string) error { return errors.ErrUnsupported }

func (s *scene) unmount() {}
