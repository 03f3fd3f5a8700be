import type { signIn as english } from "../en/sign-in";
import type { Words } from "../words";

export const signIn: Words<typeof english, "ru"> = {
  title: "Вход",
  welcome: "Здравствуйте",
  lead: "Войдите, чтобы увидеть расчёты и выплаты.",
  submit: "Войти",
  expired: "Сеанс завершился. Войдите снова, и вы вернётесь на то же место.",
  failed: "Не удалось войти. Проверьте адрес и пароль и попробуйте ещё раз.",
  closed: "Учётная запись удалена.",
  new: "Впервые здесь?",
  register: "Создать учётную запись водителя",
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
