package drivers

import (
	"saldo/internal/kernel/calendar"
	"saldo/internal/platform/db"
)

// Vehicle is what a driver drives by a contract.
type Vehicle struct {
	ContractID, DriverID string
	Registration         string // capitals and digits
	FromOn, ToOn         calendar.Date
}

// AgreeOnVehicle writes down the vehicle of a contract.
func AgreeOnVehicle(tx *db.Tx, v Vehicle) error { return db.Insert(tx, "driver_vehicles", v) }

// EndVehicle says that the contract of a vehicle ended on a day; one that had ended before stays so.
func EndVehicle(tx *db.Tx, contract string, on calendar.Date) error {
	_, err := tx.Exec(`UPDATE driver_vehicles SET to_on = $3 WHERE tenant_id = $1 AND contract_id = $2 AND (to_on = '' OR to_on > $3)`,
		contract, string(on))
	return err
}

// VehiclesOf are the registrations that a driver drives or drove by contract.
func VehiclesOf(tx *db.Tx, driver string) ([]string, error) {
	return db.Select[string](tx, `SELECT DISTINCT registration FROM driver_vehicles WHERE tenant_id = $1 AND driver_id`+Those("$2")+
		` ORDER BY registration`, driver)
}

// DriversOf are the drivers who drive a vehicle by contract on a day.
func DriversOf(tx *db.Tx, registration string, on calendar.Date) ([]string, error) {
	return db.Select[string](tx, `SELECT DISTINCT `+CanonicalID("d")+` FROM driver_vehicles v JOIN drivers d ON d.tenant_id = v.tenant_id
		AND d.id = v.driver_id WHERE v.tenant_id = $1 AND v.registration = $2 AND v.from_on <= $3 AND (v.to_on = '' OR v.to_on >= $3)`,
		registration, string(on))
}
