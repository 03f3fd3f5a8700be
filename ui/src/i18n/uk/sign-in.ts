import type { signIn as english } from "../en/sign-in";
import type { Words } from "../words";

export const signIn: Words<typeof english, "uk"> = {
  title: "Вхід",
  welcome: "Вітаємо",
  lead: "Відкрийте посилання для входу від оператора або вставте код тут.",
  code: "Код для входу",
  submit: "Увійти",
  working: "Входимо…",
  expired: "Сеанс завершився. Увійдіть знову, і ви повернетеся на те саме місце.",
  failed: "Увійти не вдалося.",
  languages: "Мова",
  promise: "Скільки, коли й чому.",
  promisePlace: "На одному екрані.",
  sample: "Приклад",
  payable: "До виплати",
  when: "на рахунку завтра",
  rides: "Поїздки із застосунків",
  cash: "Готівка, яка у вас",
  fees: "Плата й пальне",
};
