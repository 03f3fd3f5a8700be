package template

// Names are the placeholders that a text may have.
var Names = []string{
	"partner.name", "partner.taxId", "partner.address", "partner.city", "partner.email", "partner.phone",
	"driver.name", "driver.firstNames", "driver.lastName", "driver.familyName", "driver.birthDate", "driver.birthPlace",
	"driver.citizenship", "driver.sex", "driver.pesel", "driver.taxNumber", "driver.socialNumber", "driver.idKind", "driver.idNumber",
	"driver.idValidTo", "driver.address", "driver.actualAddress", "driver.mailAddress", "driver.phone", "driver.email",
	"contract.date", "contract.place", "contract.from", "contract.to", "contract.frequency",
	"vehicle.kind", "vehicle.make", "vehicle.model", "vehicle.registration", "vehicle.year", "vehicle.vin", "vehicle.frameNumber",
	"vehicle.owner", "rent.weekly", "rent.deposit",
	"account.payout", "account.refunds", "account.rental",
	"company.name", "company.taxId", "company.regon",
	"statement.taxOffice", "statement.nfz", "statement.school", "statement.studentUntil", "statement.pensionNumber",
	"statement.disability", "statement.disabilityUntil", "statement.pit2", "statement.taxResidence", "statement.taxClass",
	"statement.childAllowance", "statement.confession", "statement.healthInsurer",
}

// Boxes are what may be ticked.
var Boxes = []string{
	"student", "notStudent", "pensioner", "disabled", "employed", "employedMinimum", "business", "otherContract", "noOtherTitle", "sickness",
	"noSickness", "ppkResigned", "ppk", "pit2", "pit2Full", "pit2Half", "pit2Third", "under26", "returning", "family", "senior", "noCosts",
	"noAdvance", "vatPayer", "notVatPayer", "residentHere", "residentElsewhere", "mainEmployer", "otherEmployer", "miniJob",
	"pensionExempt", "bailiff", "noBailiff", "owner",
}
