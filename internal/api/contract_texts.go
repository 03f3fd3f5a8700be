package api

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"saldo/internal/contracts"
	"saldo/internal/contracts/pdfs"
	"saldo/internal/contracts/template"
	"saldo/internal/kernel/access"
	"saldo/internal/platform/db"
	"saldo/internal/platform/web"
)

func (s Settings) contractTemplate(tx *db.Tx, in *struct {
	ID      string `path:"id" maxLength:"64"`
	Version int64  `query:"version" minimum:"0" maximum:"1000000" doc:"of an older text; absent: the one in use"`
	Ready   bool   `query:"ready" doc:"the text as it comes with the program"`
}) (ContractTemplate, error) {
	t, err := s.Contracts.TemplateOf(tx, in.ID)
	if err != nil {
		return ContractTemplate{}, err
	}
	out := contractTemplate(t, true)
	if in.Version > 0 || in.Ready {
		if t, err = s.Contracts.TextOf(tx, t, in.Version, in.Ready); err != nil {
			return out, err
		}
		out = contractTemplate(t, true)
	}
	if t.FileID != "" {
		file, err := pdfs.ByID(tx, t.FileID)
		if err != nil {
			return out, err
		}
		out.File = shownPDF(file)
	}
	versions, err := contracts.VersionsOf(tx, in.ID)
	for _, v := range versions {
		out.History = append(out.History, ContractTemplateVersion{v.Version, v.CreatedAt, v.CreatedBy})
	}
	return out, err
}

func (s Settings) addContractTemplate(tx *db.Tx, in *struct{ Body ContractTemplate }) (ContractTemplate, error) {
	t, err := s.Contracts.AddTemplate(tx, in.Body.text(""))
	return contractTemplate(t, true), err
}

func (s Settings) saveContractTemplate(tx *db.Tx, in *struct {
	ID   string `path:"id" maxLength:"64"`
	Body ContractTemplate
}) (ContractTemplate, error) {
	t, err := s.Contracts.SaveTemplate(tx, in.Body.text(in.ID))
	return contractTemplate(t, true), err
}

func (s Settings) removeContractTemplate(tx *db.Tx, in *named) (web.None, error) {
	return web.None{}, s.Contracts.RemoveTemplate(tx, in.ID)
}

func (s Settings) previewContractTemplate(ctx context.Context, c web.Call, in *struct {
	PagePicture
	Body struct {
		Body     string `json:"body" required:"false" maxLength:"60000"`
		Name     string `json:"name" required:"false" maxLength:"200"`
		Language string `json:"language" required:"false" maxLength:"2"`
		DriverID string `json:"driverUUID" required:"false" maxLength:"64" doc:"whose data are filled in; empty: nobody's"`

		FileID     string               `json:"fileId" required:"false" maxLength:"64" doc:"a PDF instead of a text"`
		Placements []template.Placement `json:"placements" required:"false" nullable:"false" maxItems:"300"`
	}
}) (func(huma.Context), error) {
	var trying contracts.Trying
	err := s.readContracts(ctx, c, func(tx *db.Tx, who contracts.Person) error {
		var filled contracts.Filled
		if in.Body.DriverID != "" {
			var err error
			if filled, _, err = s.Contracts.FilledFor(tx, who, in.Body.DriverID); err != nil {
				return err
			}
		}
		t := contracts.Template{Name: in.Body.Name, Language: string(s.languageOf(Language(in.Body.Language))), Body: in.Body.Body,
			FileID: in.Body.FileID, Placements: in.Body.Placements}
		var err error
		trying, err = s.Contracts.Try(tx, t, filled.Data)
		return err
	})
	if err != nil {
		return nil, err
	}
	content, pages, err := s.Contracts.Tried(ctx, trying)
	if err != nil {
		return nil, err
	}
	return s.pageAnswer(ctx, in.PagePicture, mediaPDF, content,
		map[string]string{"X-Missing-Values": db.JSON(trying.Missing), "X-Pages": fmt.Sprint(pages)})
}

// PagePicture asks for one page of a file.
type PagePicture struct {
	Page  int `query:"page" minimum:"1" maximum:"500" doc:"as a picture; none: the file"`
	Width int `query:"width" minimum:"0" maximum:"2400" doc:"of the picture; 0: 1200"`
}

// drawnPages is how many pages a contract document may have.
const drawnPages = 500

// pageAnswer hands a file out, or one of its pages as a picture.
func (s Settings) pageAnswer(ctx context.Context, of PagePicture, kind string, content []byte, header map[string]string) (
	func(huma.Context), error) {
	if of.Page == 0 {
		return fileAnswer(kind, content, header), nil
	}
	picture, mediaType, err := s.Invoices.Reader.PreviewOf(ctx, content, of.Page, of.Width, drawnPages)
	if err != nil {
		return nil, contracts.ErrNotFound.Because(err)
	}
	return fileAnswer(mediaType, picture, header), nil
}

// ContractSettings are how a partner signs.
type ContractSettings struct {
	Standing  bool   `json:"standing" doc:"what drivers sign is countersigned at once"`
	Signatory string `json:"signatory" maxLength:"200" doc:"who signs for the partner"`
	Prefix    string `json:"prefix" maxLength:"20" doc:"of contract numbers"`
	Version   int64  `json:"version" minimum:"0"`
}

func (s Settings) contractSettings(tx *db.Tx, _ *nothing) (ContractSettings, error) {
	c, err := contracts.SettingsOf(tx)
	return ContractSettings(c), err
}

func (s Settings) saveContractSettings(tx *db.Tx, in *struct{ Body ContractSettings }) (ContractSettings, error) {
	c, err := contracts.SaveSettings(tx, contracts.Settings(in.Body))
	return ContractSettings(c), err
}

// VerifiedDocument is what anybody with the code of a document may know of it.
type VerifiedDocument struct {
	Title    string         `json:"title"`
	Language string         `json:"language"`
	State    ContractState  `json:"state"`
	SignedAt *time.Time     `json:"signedAt"`
	Signers  []string       `json:"signers" nullable:"false" doc:"initials of the driver, name of the partner"`
	Pages    int64          `json:"pages"`
	Form     string         `json:"form" enum:"simple,written"`
	Sealed   bool           `json:"sealed"`
	Removed  bool           `json:"removed"`
	Files    []VerifiedFile `json:"files" nullable:"false" doc:"to compare a file with; the last is the newest"`
}

// VerifiedFile is a file that was given out.
type VerifiedFile struct {
	Sum       string     `json:"sum" doc:"SHA-256 of the file before it was sealed"`
	SealedSum string     `json:"sealedSum" doc:"SHA-256 of the sealed file; empty: it is not sealed yet"`
	SealedAt  *time.Time `json:"sealedAt"`
}

func (s Settings) verifyDocument(ctx context.Context, _ web.Call, in *struct {
	Code string `path:"code" maxLength:"64"`
}) (out VerifiedDocument, err error) {
	err = s.DB.Read(ctx, access.Program("verify"), func(tx *db.Tx) error {
		v, err := s.Contracts.ByCode(tx, strings.TrimSpace(in.Code))
		if err != nil {
			return err
		}
		out = VerifiedDocument{Title: v.Name, Language: v.Language, State: ContractState(v.State), SignedAt: instantOf(v.SignedAt),
			Signers: append([]string{}, v.Signers...), Pages: v.Pages, Form: string(v.Form), Removed: v.Removed, Files: []VerifiedFile{}}
		for _, f := range v.Files {
			out.Files = append(out.Files, VerifiedFile{f.ContentHash, f.SealedHash, instantOf(f.SealedAt)})
			out.Sealed = f.SealedHash != ""
		}
		return nil
	})
	return out, err
}
