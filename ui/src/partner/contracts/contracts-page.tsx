import { lazy, Suspense } from "react";
import { useParams } from "react-router";
import { ContractList } from "./contract-list";

const ContractPage = lazy(() => import("./contract-page"));
const SettingsPage = lazy(() => import("./settings-page"));
const TextsPage = lazy(() => import("./texts-page"));
const TextPage = lazy(() => import("./text-page"));

/** Contracts: the list, one of a driver's, the texts that they are made of, and how the partner signs. */
export default function ContractsPage() {
  const [first = "", second = ""] = (useParams()["*"] ?? "").split("/");
  if (first === "") return <ContractList />;
  return (
    <Suspense>
      {first === "settings" ? (
        <SettingsPage />
      ) : first === "texts" ? (
        second ? (
          <TextPage key={second} id={second} />
        ) : (
          <TextsPage />
        )
      ) : (
        <ContractPage key={`${first} ${second}`} driver={first} id={second} />
      )}
    </Suspense>
  );
}
