import {
  FileSliders,
  FileText,
  FileUp,
  House,
  Landmark,
  Mail,
  MessageCircleQuestionMark,
  ReceiptText,
  Tags,
  UserRoundCheck,
  UsersRound,
  Wallet,
} from "lucide-react";
import { type ComponentType, lazy } from "react";
import { withInvoiceTexts } from "../i18n/invoices";
import { withSMSTexts } from "../i18n/sms";
import { HOME, type Screen } from "./screen";

/** A page that needs the texts about SMS. */
const withSMS = (load: () => Promise<{ default: ComponentType }>) =>
  lazy(async () => {
    const [page] = await Promise.all([load(), withSMSTexts()]);
    return page;
  });

/** A page that needs the texts about invoices. */
const withInvoices = (load: () => Promise<{ default: ComponentType }>) =>
  lazy(async () => (await Promise.all([load(), withInvoiceTexts()]))[0]);

// Not every partner has that entry: whoever has not need not wait for it.
const WaitingBadge = lazy(async () => ({ default: (await import("../partner/imports/waiting-badge")).WaitingBadge }));

/** What partners' people see, in the order of the menu. */
export const partnerScreens: readonly Screen[] = [
  {
    path: HOME,
    page: lazy(() => import("../partner/home/home-page")),
    access: "settlements.read",
    title: "home:title",
    menu: { icon: House, label: "home:title" },
    tab: true,
  },
  {
    path: "/settlements/pending",
    page: lazy(() => import("../partner/settlements/pending-page")),
    access: "settlements.read",
    title: "settlements:pending",
    menu: { icon: Wallet, label: "settlements:title", with: ["/settlements", "/transactions"] },
    tab: true,
  },
  {
    path: "/settlements/settled",
    page: lazy(() => import("../partner/settlements/settled-only-page")),
    access: "settlements.read",
    title: "settlements:settled",
    tab: true,
  },
  {
    path: "/settlements/paid",
    page: lazy(() => import("../partner/settlements/paid-page")),
    access: "settlements.read",
    title: "settlements:paid",
    tab: true,
  },
  {
    path: "/settlements",
    page: lazy(() => import("../partner/settlements/redirect-page")),
    access: "settlements.read",
    title: "settlements:title",
    tab: false,
  },
  {
    path: "/payouts",
    page: lazy(() => import("../partner/payouts/batches-page")),
    access: "payouts.read",
    title: "payouts:title",
    menu: { icon: Landmark, label: "payouts:title", with: ["/payouts"] },
    tab: true,
  },
  {
    path: "/payouts/new",
    page: lazy(() => import("../partner/payouts/new-page")),
    access: "payouts.write",
    title: "payouts:newTitle",
    tab: false,
  },
  {
    path: "/payouts/statement",
    page: lazy(() => import("../partner/payouts/statement-page")),
    access: "payouts.write",
    title: "payouts:statement",
    tab: false,
  },
  {
    path: "/payouts/:number",
    page: lazy(() => import("../partner/payouts/batch-page")),
    access: "payouts.read",
    title: "payouts:title",
    tab: false,
  },
  {
    path: "/documents",
    page: lazy(() => import("../partner/documents/documents-page")),
    access: "settlements.read",
    title: "documents:title",
    menu: { icon: FileText, label: "documents:menu" },
    tab: true,
  },
  {
    path: "/invoices",
    page: withInvoices(() => import("../partner/invoices/invoices-page")),
    access: "invoices.decide",
    title: "accounts:invoicesTitle",
    menu: { icon: ReceiptText, label: "accounts:invoicesTitle", with: ["/invoices"] },
    tab: true,
  },
  {
    path: "/invoices/upload",
    page: withInvoices(() => import("../partner/invoices/upload-page")),
    access: "invoices.decide",
    title: "accounts:invoicesTitle",
    tab: false,
  },
  {
    path: "/invoices/:id",
    page: withInvoices(() => import("../partner/invoices/review-page")),
    access: "invoices.decide",
    title: "accounts:invoicesTitle",
    tab: true,
  },
  {
    path: "/drivers",
    page: lazy(() => import("../partner/drivers/drivers-page")),
    access: "drivers.read",
    title: "drivers:title",
    menu: { icon: UsersRound, label: "drivers:title" },
    tab: true,
  },
  {
    path: "/drivers/possible-duplicates",
    page: lazy(() => import("../partner/drivers/duplicates-page")),
    access: "drivers.read",
    title: "merge:duplicates",
    tab: false,
  },
  {
    path: "/drivers/sent-summary/:tokenUUID/:driverUUID",
    page: lazy(() => import("../partner/settlements/sent-summary-page")),
    access: "settlements.read",
    title: "sending:pageTitle",
    tab: false,
  },
  {
    path: "/drivers/:id/merge",
    page: lazy(() => import("../partner/drivers/merge-page")),
    access: "drivers.write",
    title: "merge:title",
    tab: false,
  },
  {
    path: "/drivers/:id",
    page: lazy(() => import("../partner/drivers/driver-page")),
    access: "drivers.read",
    title: "drivers:driverTitle",
    tab: false,
  },
  {
    path: "/drivers-profiles",
    page: lazy(() => import("../partner/profiles/profiles-page")),
    access: "drivers.read",
    title: "profiles:title",
    menu: { icon: UserRoundCheck, label: "profiles:title" },
    tab: true,
  },
  {
    path: "/outbox",
    page: lazy(() => import("../partner/messages/outbox-page")),
    access: "messages.read",
    title: "messages:title",
    menu: { icon: Mail, label: "messages:title", with: ["/send", "/details"] },
    tab: true,
  },
  {
    path: "/outbox/texts",
    page: lazy(() => import("../partner/messages/texts-page")),
    access: "messages.read",
    title: "messages:textsTitle",
    tab: false,
  },
  {
    path: "/send",
    page: withSMS(() => import("../partner/messages/send-page")),
    access: "messages.write",
    title: "messages:sendTitle",
    tab: true,
  },
  {
    path: "/details/:id",
    page: withSMS(() => import("../partner/messages/details-page")),
    access: "messages.read",
    title: "messages:detailsTitle",
    tab: false,
  },
  {
    path: "/questions",
    page: lazy(() => import("../partner/questions/questions-page")),
    access: "settlements.read",
    title: "questions:title",
    menu: { icon: MessageCircleQuestionMark, label: "questions:title" },
    tab: true,
  },
  {
    path: "/questions/:id",
    page: lazy(() => import("../partner/questions/question-page")),
    access: "settlements.read",
    title: "questions:oneTitle",
    tab: false,
  },
  {
    path: "/tags",
    page: lazy(() => import("../partner/tags/tags-page")),
    access: "tags.read",
    title: "tags:title",
    menu: { icon: Tags, label: "tags:title" },
    tab: true,
  },
  {
    path: "/schemas",
    page: lazy(() => import("../partner/schemas/schemas-page")),
    access: "schemas.read",
    title: "schemas:title",
    menu: { icon: FileSliders, label: "schemas:title" },
    tab: true,
  },
  {
    path: "/upload",
    page: lazy(() => import("../partner/imports/upload-page")),
    access: "imports.read",
    title: "imports:title",
    menu: { icon: FileUp, label: "imports:title", badge: WaitingBadge, with: ["/log"] },
    tab: true,
  },
  {
    path: "/upload/drivers",
    page: lazy(() => import("../partner/imports/unmatched-page")),
    access: "imports.read",
    title: "imports:unmatchedTitle",
    tab: false,
  },
  {
    path: "/upload/coverage",
    page: lazy(() => import("../partner/imports/coverage-page")),
    access: "imports.read",
    title: "imports:partCoverage",
    tab: false,
  },
  {
    path: "/upload/mappings",
    page: lazy(() => import("../partner/imports/mappings-page")),
    access: "imports.read",
    title: "imports:mapsTitle",
    tab: false,
  },
  {
    path: "/upload/mappings/:id",
    page: lazy(() => import("../partner/imports/mapping-edit-page")),
    access: "imports.write",
    title: "imports:mapEditTitle",
    tab: false,
  },
  {
    path: "/upload/files/:id/columns",
    page: lazy(() => import("../partner/imports/mapping-new-page")),
    access: "imports.write",
    title: "imports:mapTitle",
    tab: false,
  },
  {
    path: "/log",
    page: lazy(() => import("../partner/imports/log-page")),
    access: "imports.read",
    title: "imports:logTitle",
    tab: true,
  },
  {
    path: "/log/:id",
    page: lazy(() => import("../partner/imports/import-page")),
    access: "imports.read",
    title: "imports:oneTitle",
    tab: false,
  },
  {
    path: "/transactions/summary/:driverUUID/:settlementUUID?",
    page: lazy(() => import("../partner/explain/explain-page")),
    access: "settlements.read",
    title: "explain:title",
    tab: true,
  },
  {
    path: "/transactions/details/:driverUUID/:settlementUUID?",
    page: lazy(() => import("../partner/transactions/transactions-page")),
    access: "transactions.read",
    title: "transactions:title",
    tab: true,
  },
  {
    path: "/profile",
    page: withSMS(() => import("../partner/company/profile-page")),
    access: "partner.read",
    title: "partner:title",
    tab: true,
  },
];
