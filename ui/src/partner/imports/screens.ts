import { withImportTexts } from "../../i18n/imports";

/** Files to read. */
export const upload = async () => (await Promise.all([import("./upload-page"), withImportTexts()]))[0];

/** People of files who wait for a decision. */
export const unmatched = async () => (await Promise.all([import("./unmatched-page"), withImportTexts()]))[0];

/** Which days each provider has files for. */
export const coverage = async () => (await Promise.all([import("./coverage-page"), withImportTexts()]))[0];

/** Remembered descriptions of columns. */
export const mappings = async () => (await Promise.all([import("./mappings-page"), withImportTexts()]))[0];

/** One description. */
export const editMapping = async () => (await Promise.all([import("./mapping-edit-page"), withImportTexts()]))[0];

/** A file whose columns nobody has described. */
export const newMapping = async () => (await Promise.all([import("./mapping-new-page"), withImportTexts()]))[0];

/** All files. */
export const log = async () => (await Promise.all([import("./log-page"), withImportTexts()]))[0];

/** One file. */
export const one = async () => (await Promise.all([import("./import-page"), withImportTexts()]))[0];
