import type { signIn as english } from "../en/sign-in";
import type { Words } from "../words";

export const signIn: Words<typeof english, "uk"> = {
  title: "Вхід",
  welcome: "Вітаємо",
  lead: "Увійдіть, щоб побачити розрахунки й виплати.",
  submit: "Увійти",
  expired: "Сеанс завершився. Увійдіть знову, і ви повернетеся на те саме місце.",
  failed: "Не вдалося ввійти. Перевірте адресу й пароль і спробуйте ще раз.",
  closed: "Обліковий запис видалено.",
  new: "Уперше тут?",
  register: "Створити обліковий запис водія",
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
