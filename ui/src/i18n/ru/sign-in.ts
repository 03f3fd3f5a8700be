import type { signIn as english } from "../en/sign-in";
import type { Words } from "../words";

export const signIn: Words<typeof english, "ru"> = {
  title: "Вход",
  welcome: "Здравствуйте",
  lead: "Откройте ссылку для входа от оператора или вставьте код здесь.",
  code: "Код для входа",
  submit: "Войти",
  working: "Входим…",
  expired: "Сеанс завершился. Войдите снова, и вы вернётесь на то же место.",
  failed: "Войти не удалось.",
  languages: "Язык",
  promise: "Сколько, когда и почему.",
  promisePlace: "На одном экране.",
  sample: "Пример",
  payable: "К выплате",
  when: "на счёте завтра",
  rides: "Поездки из приложений",
  cash: "Наличные у вас",
  fees: "Сбор и топливо",
};
