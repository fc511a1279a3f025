export const pl = {
  "Make one in the account settings of Staffology. It can do what its user can, so use a read-only user.":
    "Proszę utworzyć go w ustawieniach konta Staffology. Pozwala na wszystko, co może jego użytkownik, dlatego najlepiej wybrać użytkownika tylko z prawem odczytu.",
  "This key reaches no employer in Staffology. Use the key of a user who may see the employer.":
    "Ten klucz nie daje dostępu do żadnego pracodawcy w Staffology. Proszę użyć klucza użytkownika, który może widzieć pracodawcę.",
  "This key does not reach the employer that was connected before. Use the key of a user who may see it.":
    "Ten klucz nie daje dostępu do pracodawcy, który był wcześniej połączony. Proszę użyć klucza użytkownika, który może go widzieć.",
  "Which employer do you want to connect?": "Którego pracodawcę połączyć?",
};
