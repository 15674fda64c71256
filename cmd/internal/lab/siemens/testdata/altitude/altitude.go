// Package altitude decides how an aircraft avoids another one above or below it.
package altitude

import (
	"fmt"
	"strconv"
)

// An advice is what the pilot is told.
type advice int

// What the pilot is told.
const (
	stay advice = iota
	climb
	descend
	both // there is no way to decide
)

func (a advice) String() string { return [...]string{"stay", "climb", "descend", "unresolved"}[a] }

// An intent is what the other aircraft says it will do.
type intent int

// What the other aircraft says.
const (
	silent intent = iota
	notBelow
	notAbove
)

// A situation is what is known of both aircraft. Altitudes and separations are in feet, rates in feet a minute.
type situation struct {
	own, other       int  // altitudes
	ownRate          int  // above 0: it climbs
	otherRate        int  // likewise
	above, below     int  // separation when they meet, if one's own climbs, or descends
	layer            int  // of altitudes, from 0
	confident        bool // the report is trusted
	equipped         bool // the other one has such a system too
	valid            bool // two reports agree
	said             intent
	climbInhibited   bool
	descentInhibited bool
}

// Constants of the manoeuvres.
const (
	maxRate     = 600  // of the other one, up to which altitudes can be crossed
	bonus       = 100  // feet that are lost where a manoeuvre is inhibited
	level       = 300  // feet within which altitudes are the same
	near        = 3000 // feet from which nothing is said
	fast        = 2500 // a rate that can't be turned round in time
	lowest      = 1000 // feet below which a descent is inhibited
	cruiseFloor = 2000 // feet below which nobody descends where it is inhibited
)

// needed lists the separation that each layer of altitudes needs.
var needed = [...]int{300, 400, 500, 640, 740}

// Run decides about a situation: the altitudes of both, their rates, the separations above and below, the layer, what
// the other one said (0 nothing, 1 it does not go below, 2 not above), and the words trusted, equipped, valid, noclimb
// and nodescent. Without arguments it decides about each line, which has them in the same order.
func Run(args []string, lines string) (string, error) {
	if len(args) > 0 {
		s, err := parse(args)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%v\n", s.decide()), nil
	}
	out := ""
	for _, line := range split(lines) {
		s, err := parse(line)
		if err != nil {
			return out, err
		}
		out += fmt.Sprintf("%v\n", s.decide())
	}
	return out, nil
}

// split returns the words of each line that has some.
func split(text string) (lines [][]string) {
	var words []string
	from := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] != ' ' && text[i] != '\n' {
			continue
		}
		if i > from {
			words = append(words, text[from:i])
		}
		from = i + 1
		if (i == len(text) || text[i] == '\n') && len(words) > 0 {
			lines, words = append(lines, words), nil
		}
	}
	return lines
}

func parse(words []string) (*situation, error) {
	s, said := &situation{}, 0
	numbers := []*int{&s.own, &s.other, &s.ownRate, &s.otherRate, &s.above, &s.below, &s.layer, &said}
	if len(words) < len(numbers) {
		return nil, fmt.Errorf("%d numbers, not %d", len(numbers), len(words))
	}
	for i, to := range numbers {
		n, err := strconv.Atoi(words[i])
		if err != nil {
			return nil, fmt.Errorf("no number: %q", words[i])
		}
		*to = n
	}
	s.said = intent(said)
	if s.layer < 0 || s.layer >= len(needed) || said < 0 || said > 2 {
		return nil, fmt.Errorf("no layer or intent: %d, %d", s.layer, said)
	}
	for _, word := range words[len(numbers):] {
		if err := s.flag(word); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *situation) flag(word string) error {
	switch word {
	case "trusted":
		s.confident = true
	case "equipped":
		s.equipped = true
	case "valid":
		s.valid = true
	case "noclimb":
		s.climbInhibited = true
	case "nodescent":
		s.descentInhibited = true
	default:
		return fmt.Errorf("unknown word %q", word)
	}
	return nil
}

// decide says what the pilot is told.
func (s *situation) decide() advice {
	enabled := s.confident && s.valid && s.ownRate <= fast && s.ownRate >= -fast && s.distance() <= near
	if !enabled || s.equipped && s.said == silent && s.safe() {
		return stay
	}
	up, down := s.mayClimb(), s.mayDescend()
	if s.said == notAbove && s.equipped {
		down = false
	}
	if s.said == notBelow && s.equipped {
		up = false
	}
	switch {
	case up && down:
		return both
	case up:
		return climb
	case down:
		return descend
	}
	return stay
}

// required returns the separation that is needed.
func (s *situation) required() int { return needed[s.layer] }

// safe reports whether either way keeps the separation.
func (s *situation) safe() bool {
	return s.above >= s.required() && s.below >= s.required()
}

// distance returns how far the altitudes are apart.
func (s *situation) distance() int {
	if s.own > s.other {
		return s.own - s.other
	}
	return s.other - s.own
}

// climbing returns the separation above, as far as a climb is possible.
func (s *situation) climbing() int {
	if s.climbInhibited {
		return s.above - bonus
	}
	return s.above
}

// descending returns the separation below, as far as a descent is possible.
func (s *situation) descending() int {
	if s.descentInhibited || s.own < lowest {
		return s.below - bonus
	}
	return s.below
}

// prefersClimb reports whether the way up keeps more distance.
func (s *situation) prefersClimb() bool { return s.climbing() > s.descending() }

func (s *situation) isAbove() bool { return s.own > s.other }

// atLevel reports whether both are at the same altitude.
func (s *situation) atLevel() bool { return s.distance() < level }

// clearsAbove reports whether a climb keeps the separation.
func (s *situation) clearsAbove() bool { return s.climbing() >= s.required() }

// clearsBelow reports whether a descent keeps the separation.
func (s *situation) clearsBelow() bool { return s.descending() >= s.required() }

// rising reports whether one's own aircraft climbs faster.
func (s *situation) rising() bool { return s.ownRate > s.otherRate }

// mayClimb reports whether a climb resolves the conflict. From below it crosses the altitude of the other one.
func (s *situation) mayClimb() bool {
	switch {
	case s.atLevel():
		return s.rising() && s.clearsAbove()
	case s.isAbove():
		return s.prefersClimb() || !s.clearsBelow()
	}
	return s.prefersClimb() && s.rising() && s.otherRate <= maxRate
}

// mayDescend reports whether a descent resolves the conflict. From above it crosses the altitude of the other one.
func (s *situation) mayDescend() bool {
	switch {
	case s.own < cruiseFloor && s.descentInhibited:
		return false
	case s.atLevel():
		return !s.rising() && s.clearsBelow()
	case s.isAbove():
		return !s.prefersClimb() && !s.rising() && s.otherRate >= -maxRate
	}
	return !s.prefersClimb() || !s.clearsAbove()
}
