import { Checkbox } from "antd";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { useSession } from "../../session/session";
import { type Draft, type Preview, useSMS } from "./queries";
import { SMSNeeds } from "./sms-needs";
import styles from "./messages.module.css";

interface ChannelsProps {
  chosen: Draft["channel"];
  onChange: (channels: Draft["channel"]) => void;
  /** Whether SMS are written without Polish letters. */
  plain: boolean;
  onPlain: (plain: boolean) => void;
  sms: Preview["sms"];
}

/** By which ways a message goes. SMS are offered to those who have turned them on. */
export function Channels({ chosen, onChange, plain, onPlain, sms }: ChannelsProps) {
  const { t } = useTranslation(["messages", "sms"]);
  const { may } = useSession();
  const settings = useSMS();
  const ways = settings.data?.on ? (["BOARD", "EMAIL", "SMS"] as const) : (["BOARD", "EMAIL"] as const);
  return (
    <fieldset className={styles.part}>
      <legend>{t("how")}</legend>
      <Checkbox.Group
        value={chosen}
        onChange={onChange}
        options={ways.map((one) => ({ value: one, label: t(`channel_${one}`) }))}
      />
      {settings.data?.on === false && may("partner.write") && (
        <p className={styles.quiet}>
          {t("sms:turnedOff")} <Link to="/profile?ask=sms">{t("sms:turnOn")}</Link>
        </p>
      )}
      {chosen.includes("SMS") && (
        <>
          <Checkbox checked={plain} onChange={({ target }) => onPlain(target.checked)}>
            {t("sms:plain")}
          </Checkbox>
          {sms && <SMSNeeds sms={sms} />}
        </>
      )}
    </fieldset>
  );
}
