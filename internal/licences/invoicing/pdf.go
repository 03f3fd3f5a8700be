package invoicing

import "saldo/internal/platform/db"

type Service struct{}

type PDFDocument struct{}

func (*PDFDocument) PDF() ([]byte, error) { return nil, nil }
func (*PDFDocument) FileName() string     { return "" }

func (s *Service) PDFDocument(tx *db.Tx, id string) (*PDFDocument, error) { return nil, ErrNotFound }
func (s *Service) File(tx *db.Tx, id string) ([]byte, string, error)      { return nil, "", ErrNotFound }
