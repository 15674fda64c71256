// Package shard divides a run into shards that different machines can play.
//
// In: a shard, and a seed, a count or a name of the whole run. Out: the shard's own seed, its part of the count, and
// whether the name is one of its own. All parts of a count are the count together, and each name is one of exactly one
// shard, whatever other names there are. The same input has the same output on every machine. The package is pure.
package shard

import (
	"errors"
	"hash/fnv"
	"strconv"
	"strings"
)

// Most is how many shards a run may have: as many as GitHub starts jobs of one matrix.
const Most = 256

// A Shard is one of the shards of a run. The zero Shard stands for a run that is not divided.
type Shard struct {
	Number int `json:"number"` // from 1
	Of     int `json:"of"`     // how many there are
}

// Parse reads a shard as in 3/8.
func Parse(text string) (Shard, error) {
	number, of, _ := strings.Cut(text, "/")
	n, err := strconv.Atoi(number)
	m, also := strconv.Atoi(of)
	s := Shard{n, m}
	if err != nil || also != nil || !s.Valid() {
		return Shard{}, errors.New("want K/N, such as 3/8: the third of eight, of " + strconv.Itoa(Most) + " at most")
	}
	return s, nil
}

// All lists the shards of a run.
func All(of int) (list []Shard) {
	for n := range of {
		list = append(list, Shard{n + 1, of})
	}
	return list
}

// Valid reports whether a run can have such a shard.
func (s Shard) Valid() bool { return s.Number >= 1 && s.Number <= s.Of && s.Of <= Most }

// String returns the shard as Parse reads it.
func (s Shard) String() string { return strconv.Itoa(s.Number) + "/" + strconv.Itoa(s.Of) }

// First reports whether the shard does what is done once and can't be divided.
func (s Shard) First() bool { return s.Number <= 1 }

// Seed returns the seed of the shard. The first one has that of the run. The others have numbers of SplitMix64, which
// are different for different shards.
func (s Shard) Seed(seed uint64) uint64 {
	if s.First() {
		return seed
	}
	return mixed(seed + uint64(s.Number-1)*0x9e3779b97f4a7c15)
}

// mixed lets each bit of a number decide all bits of another one.
func mixed(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Share returns the shard's part of a count. The first shards have one more where it can't be divided evenly.
func (s Shard) Share(n int) int {
	if s.Of == 0 {
		return n
	}
	share := n / s.Of
	if s.Number <= n%s.Of {
		share++
	}
	return share
}

// Has reports whether what has a name is the shard's.
func (s Shard) Has(name string) bool {
	if s.Of == 0 {
		return true
	}
	sum := fnv.New64a()
	sum.Write([]byte(name))
	return mixed(sum.Sum64())%uint64(s.Of) == uint64(s.Number-1)
}
