import { Form, Input } from "antd";
import { useTranslation } from "../../i18n/translation";
import { brandSet, type Mode, PETROL, palette } from "../../components/palette";
import { useChecks } from "./checks";
import { Logo } from "./logo";
import type { Profile } from "./queries";
import { Section } from "../../components/section";
import type { Values } from "./values";

const isColour = (text: unknown): text is string => typeof text === "string" && /^#[0-9a-f]{6}$/i.test(text);

/** The partner's colour, as the interface will really wear it, and its picture. */
export function BrandFields({ profile, mayWrite }: { profile: Profile; mayWrite: boolean }) {
  const { t } = useTranslation("partner");
  const check = useChecks();
  const typed = Form.useWatch<Values["color"] | undefined>("color");
  const colour = isColour(typed) ? typed : isColour(profile.color) ? profile.color : PETROL;
  const corrected = (["light", "dark"] as const).some(
    (mode) => brandSet(colour, mode).fill.toUpperCase() !== colour.toUpperCase(),
  );
  return (
    <Section title={t("brand")} lead={t("brandLead")}>
      <Form.Item name="color" label={t("color")} rules={[check.required, check.colour]}>
        <ColourField />
      </Form.Item>
      <div className="profile-pair profile-previews">
        <Preview colour={colour} mode="light" label={t("previewLight")} />
        <Preview colour={colour} mode="dark" label={t("previewDark")} />
      </div>
      <p className="profile-note" role="status">
        {corrected && t("corrected")}
      </p>
      <Logo address={profile.logo} mayWrite={mayWrite} />
    </Section>
  );
}

function ColourField({ value = "", onChange, ...rest }: { value?: string; onChange?: (colour: string) => void }) {
  const { t } = useTranslation("partner");
  return (
    <span className="profile-colour">
      <input
        type="color"
        aria-label={t("pickColor")}
        value={isColour(value) ? value.toLowerCase() : "#000000"}
        onChange={(event) => onChange?.(event.target.value.toUpperCase())}
      />
      <Input
        {...rest}
        value={value}
        maxLength={7}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange?.(event.target.value)}
      />
    </span>
  );
}

function Preview({ colour, mode, label }: { colour: string; mode: Mode; label: string }) {
  const { t } = useTranslation("partner");
  const { page, surface, line, text } = palette[mode];
  const brand = brandSet(colour, mode);
  return (
    <div className="profile-preview" style={{ background: surface, borderColor: line, color: text }}>
      <span className="profile-preview-name">{label}</span>
      <span className="profile-preview-row" style={{ background: page }}>
        <span className="profile-preview-button" style={{ background: brand.fill, color: brand.on }}>
          {t("previewButton")}
        </span>
        <span className="profile-preview-chosen" style={{ background: brand.bg, color: brand.text }}>
          {t("previewChosen")}
        </span>
      </span>
    </div>
  );
}
