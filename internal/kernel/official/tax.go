package official

// ParseTaxID reads a NIP in Poland; in Germany a USt-IdNr, a Steuer-ID or a Steuernummer.
func ParseTaxID(text, country string) (string, error) {
	if country != "DE" {
		nip, err := ParseNIP(text)
		return string(nip), err
	}
	if id, err := ParseSteuerID(text); err == nil {
		return string(id), nil
	}
	if number, err := ParseSteuernummer(text); err == nil {
		return string(number), nil
	}
	id, err := ParseUStIdNr(text)
	return string(id), err
}
