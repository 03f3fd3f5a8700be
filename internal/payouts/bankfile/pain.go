package bankfile

import (
	"encoding/xml"
	"fmt"

	"saldo/internal/kernel/money"
)

// The parts of pain.001 that an order needs; both revisions differ in the day alone.
type (
	painDocument struct {
		XMLName xml.Name
		Group   painGroup  `xml:"CstmrCdtTrfInitn>GrpHdr"`
		Batch   *painBatch `xml:"CstmrCdtTrfInitn>PmtInf"`
	}
	painGroup struct {
		ID     string `xml:"MsgId"`
		MadeAt string `xml:"CreDtTm"`
		Count  int    `xml:"NbOfTxs"`
		Sum    string `xml:"CtrlSum"`
		Name   string `xml:"InitgPty>Nm"`
	}
	painBatch struct {
		ID       string         `xml:"PmtInfId"`
		Method   string         `xml:"PmtMtd"`
		Together bool           `xml:"BtchBookg"`
		Count    int            `xml:"NbOfTxs"`
		Sum      string         `xml:"CtrlSum"`
		Level    *string        `xml:"PmtTpInf>SvcLvl>Cd"`
		On       painDay        `xml:"ReqdExctnDt"`
		Name     string         `xml:"Dbtr>Nm"`
		Account  string         `xml:"DbtrAcct>Id>IBAN"`
		Bank     string         `xml:"DbtrAgt>FinInstnId>Othr>Id"`
		Charges  string         `xml:"ChrgBr"`
		Payments []*painPayment `xml:"CdtTrfTxInf"`
	}
	painDay struct {
		Text string `xml:",chardata"` // of revision 03
		Day  string `xml:"Dt,omitempty"`
	}
	painPayment struct {
		Reference string     `xml:"PmtId>EndToEndId"`
		Amount    painAmount `xml:"Amt>InstdAmt"`
		Name      string     `xml:"Cdtr>Nm"`
		Account   string     `xml:"CdtrAcct>Id>IBAN"`
		Title     string     `xml:"RmtInf>Ustrd"`
	}
	painAmount struct {
		Currency string `xml:"Ccy,attr"`
		Amount   string `xml:",chardata"`
	}
)

// pain writes ISO 20022. Addresses are left out: they may be, and half an address is refused.
func (w *writer) pain() []byte {
	o := w.order
	sum := o.Payments[0].Amount
	for _, p := range o.Payments[1:] {
		var err error
		if sum, err = sum.Add(p.Amount); err != nil {
			w.refuse(WrongAmount, "", "")
			return nil
		}
	}
	payer := w.name(o.From.Name, w.profile.name)
	batch := &painBatch{ID: o.ID, Method: "TRF", Together: true, Count: len(o.Payments), Sum: sum.String(), Name: payer,
		Account: string(o.From.Account), Bank: "NOTPROVIDED", Charges: "SHAR"}
	if o.Currency == money.EUR {
		sepa := "SEPA"
		batch.Level, batch.Charges = &sepa, "SLEV"
	}
	if w.profile.Standard == Pain03 {
		batch.On.Text = string(o.On)
	} else {
		batch.On.Day = string(o.On)
	}
	for n, p := range o.Payments {
		w.at = n
		batch.Payments = append(batch.Payments,
			&painPayment{p.Reference, painAmount{string(o.Currency), p.Amount.String()}, w.name(p.To.Name, w.profile.name), string(p.To.Account),
				w.title(p.Title, 140)})
	}
	document := painDocument{XMLName: xml.Name{Space: "urn:iso:std:iso:20022:tech:xsd:" + w.profile.Standard, Local: "Document"},
		Group: painGroup{o.ID, o.MadeAt.UTC().Format("2006-01-02T15:04:05Z"), len(o.Payments), sum.String(), payer}, Batch: batch}
	content, err := xml.MarshalIndent(document, "", " ")
	if err != nil {
		w.refuse(Unwritable, "", fmt.Sprint(err))
		return nil
	}
	return append([]byte(xml.Header), append(content, '\n')...)
}
