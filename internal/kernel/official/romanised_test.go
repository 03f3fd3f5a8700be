package official

import "testing"

func TestRomanised_AsPassportsDo(t *testing.T) {
	for name, want := range map[string]string{
		"Юлія Яценко": "Yuliia Yatsenko", "Їжакевич": "Yizhakevych", "Мар'яна": "Mariana", "Мар’яна": "Mariana", "Згурський": "Zghurskyi", "Розгон": "Rozghon",
		"Єнакієве": "Yenakiieve", "Гаєвич Короп'є": "Haievych Koropie", "Йосипівна Стрий": "Yosypivna Stryi", "Юрій Крюківка": "Yurii Kriukivka", "Костянтин": "Kostiantyn",
		"Знам'янка Феодосія": "Znamianka Feodosiia", "Ґалаґан": "Galagan", "Щербухи": "Shcherbukhy", "ЮЛІЯ ЯЦЕНКО": "YULIIA YATSENKO", "Анна-Юлія": "Anna-Yuliia", "Я": "Ya",
		"Юлия Крылова": "Iuliia Krylova", "Сергей Грымов": "Sergei Grymov", "Подъячев": "Podieiachev", "Фёдор Эйхе": "Fedor Eikhe", "Jan Kowalski": "Jan Kowalski", "O'Neil": "O'Neil",
	} {
		if got := Romanised(name); got != want {
			t.Errorf("%s is %s and not %s", name, got, want)
		}
	}
}
