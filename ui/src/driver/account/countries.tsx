import { memo } from "react";
import { countriesFor } from "../../format/official/countries";

interface CountriesProps {
  home: string;
  language: string;
  named: (country: { code: string; name: string }) => string;
}

/** The options of a select with all countries: drawn once, not at every key of the form around it. */
export const Countries = memo(function Countries({ home, language, named }: CountriesProps) {
  return countriesFor(home, language).map((one) => (
    <option key={one.code} value={one.code}>
      {named(one)}
    </option>
  ));
});
