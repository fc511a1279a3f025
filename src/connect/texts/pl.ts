import type { Texts } from "./en.ts";

/** Names do not decline, so each stands behind a noun that does. */
export const pl: Texts = {
  language: "Polski",
  title: {
    choose: "Wybór systemu kadrowego lub płacowego",
    signIn: "Logowanie do systemu {provider}",
    working: "Trwa logowanie do systemu {provider}",
    question: "Jeszcze jeden krok",
    approval: "Proszę zatwierdzić logowanie",
    failed: "Logowanie nie powiodło się",
    done: "Połączenie zostało utworzone",
    declined: "Nic nie zostało udostępnione",
    expired: "To logowanie wygasło",
    used: "Ten link został już użyty",
    unknown: "To logowanie nie jest już otwarte",
    nowhere: "Nie ma takiej strony",
    link: "Ten link nie działa",
    forged: "Tego formularza nie można przyjąć",
    tooMany: "Proszę chwilę zaczekać",
    trouble: "Coś poszło nie tak",
    accesses: "Aplikacje z dostępem",
    closed: "Wylogowano",
    problem: "Problem: {title}",
  },
  consent: {
    asks: "Aplikacja {client} chce za pośrednictwem Rollcall odczytywać dane z Państwa systemu kadrowego lub płacowego. Proszę wybrać system, z którego korzysta Państwa firma.",
    asksProvider:
      "Aplikacja {client} chce za pośrednictwem Rollcall odczytywać dane z systemu {provider}. Aby wyrazić na to zgodę, proszę zalogować się tutaj do systemu {provider}.",
    asksElsewhere:
      "Aplikacja {client} korzysta z Rollcall, aby odczytywać dane z systemu {provider}.",
    asksAgain:
      "Aplikacja {client} prosi o ponowne zalogowanie do systemu {provider}, aby mogła nadal odczytywać te same dane. Proszę użyć tego samego konta co poprzednio.",
    wants: "Aplikacja {client} chce odczytywać:",
    allows: "Logując się, zezwalają Państwo aplikacji {client} na odczyt:",
    scope: "{name}: {holds}",
    details: "Szczegóły",
    readOnly: "Tylko odczyt: w Państwa systemie nic nie zostanie zmienione.",
    lacks: "System {provider} nie ma tych danych lub nie może ich nam przekazać: {data}.",
    lasts: "Dostęp obowiązuje do chwili, gdy zakończą go Państwo lub aplikacja {client}.",
    returns: "Następnie wrócą Państwo na stronę {host}.",
    returnsHere: "Następnie wrócą Państwo do aplikacji na tym komputerze.",
    purpose: "Cel podany przez aplikację {client}: „{purpose}”",
    privacy: "Polityka prywatności aplikacji {client}",
    support: "Pomoc aplikacji {client}",
  },
  employeeData: {
    contact: "dane kontaktowe",
    job: "stanowisko",
    pay: "wynagrodzenie",
    bank_account: "rachunek bankowy",
    tax_id: "identyfikator podatkowy",
    date_of_birth: "data urodzenia",
    nationality: "obywatelstwo",
    gender: "płeć",
    ethnicity: "pochodzenie etniczne",
    marital_status: "stan cywilny",
    relatives: "członkowie rodziny",
    emergency: "osoby do kontaktu w nagłych wypadkach",
  },
  scopes: {
    company: { name: "Firma", holds: "nazwa, identyfikator podatkowy, adres" },
    employee: { name: "Dane pojedynczych pracowników" },
    employees: { name: "Pracownicy" },
    groups: { name: "Grupy", holds: "działy i zespoły" },
    identity: { name: "Państwa konto", holds: "imię i nazwisko, adres e-mail i numer telefonu" },
    payruns: { name: "Listy płac", holds: "okresy i daty wypłat" },
    "payruns/:payrun_id": {
      name: "Paski płacowe",
      holds: "składniki wynagrodzenia, podatki i potrącenia",
    },
    "time-off-balances": { name: "Salda urlopów", holds: "dni wykorzystane i pozostałe" },
    "time-off-entries": { name: "Nieobecności", holds: "urlopy, zwolnienia lekarskie i inne" },
    timesheets: { name: "Ewidencja czasu pracy", holds: "przepracowane godziny" },
    "work-locations": { name: "Miejsca pracy", holds: "nazwy i adresy" },
  },
  test: {
    band: "Test: dane fikcyjne",
    refused: "user_bad_password jest zawsze odrzucany; proszę użyć user_good.",
    otp: "W środowisku testowym kod to 123456.",
  },
  choose: {
    search: "Wyszukiwanie systemu",
    submit: "Szukaj",
    none: "Brak wyników dla „{search}”. Proszę sprawdzić pisownię lub poinformować dostawcę aplikacji {client}, że brakuje Państwa systemu.",
    nothing: "Nie ma systemów do wyboru. Proszę skontaktować się z dostawcą aplikacji {client}.",
    count: {
      one: "1 system",
      few: "{count} systemy",
      many: "{count} systemów",
      other: "{count} systemu",
    },
  },
  form: {
    submit: "Zaloguj i połącz",
    answer: "Dalej",
    decline: "Anuluj i wróć do aplikacji {client}",
    other: "Wybierz inny system",
    show: "Pokaż",
    hide: "Ukryj",
    otpWhy: "System {provider} chce potwierdzić Państwa tożsamość.",
    askWhy: "System {provider} potrzebuje jeszcze jednej informacji.",
    again:
      "Nic nie zostało przekazane: ta strona była otwarta zbyt długo albo przeglądarka nie wysłała pliku cookie razem z formularzem. Proszę wypełnić formularz ponownie. Jeśli ten komunikat pojawi się drugi raz, proszę zezwolić tej stronie na pliki cookie.",
    wrongAnswer: "System {provider} nie przyjął tej odpowiedzi. Proszę spróbować ponownie.",
    guide: "Jak połączyć system {provider}",
    found: "Znaleziono Państwa system {system}: {address}.",
    settings: "Ustawienia, których nie trzeba zmieniać",
    otherAddress: "Zmień adres",
    where: "Gdzie to znaleźć",
    newTab: "otwiera się w nowej karcie",
    secret: {
      passed:
        "Rollcall przekazuje tę wartość systemowi {provider} jeden raz i jej nie przechowuje.",
      kept: "Rollcall przechowuje tę wartość w postaci zaszyfrowanej i wysyła ją do systemu {provider} przy każdym zapytaniu.",
      simulated:
        "{provider} nie jest prawdziwym systemem: ta wartość nie jest przekazywana ani przechowywana.",
    },
    unseen: "Aplikacja {client} nigdy jej nie widzi.",
  },
  recipe: {
    share: "To wyjaśnienie jako strona, którą można wysłać współpracownikowi",
    shared:
      "Ta strona jest dla osoby, która ma klucz lub hasło do systemu {provider}. Wpisuje się je tylko na stronie logowania: proszę nie wysyłać ich e-mailem ani na czacie. Osoba, która przysłała tę stronę, może otworzyć logowanie razem z Państwem.",
    rights: "Jakie uprawnienia są potrzebne",
    ending: "Jak później zakończyć dostęp w systemie {provider}",
    drawn: "Rysunki są uproszczone. System {provider} może wyglądać u Państwa inaczej.",
    drawing: "Rysunek. Zaznaczono: {label}.",
  },
  elsewhere: {
    submit: "Przejdź do systemu {provider}",
    text: "Logowanie i zatwierdzenie dostępu odbywa się na stronie systemu {provider}. Następnie wrócą Państwo tutaj.",
    working: "Rollcall kończy logowanie do systemu {provider}. Zwykle trwa to kilka sekund.",
  },
  kept: {
    title: "Co przechowujemy, jak długo i jak zakończyć połączenie",
    session:
      "Państwa hasło zostanie użyte jeden raz, do zalogowania, i nie jest przechowywane. Rollcall przechowuje w postaci zaszyfrowanej sesję, którą otwiera system {provider}, a także nazwę, adres e-mail i numer telefonu konta.",
    secret:
      "Rollcall przechowuje w postaci zaszyfrowanej podany klucz, ponieważ system {provider} wymaga go przy każdym zapytaniu, a także nazwę, adres e-mail i numer telefonu konta.",
    grant:
      "Logują się Państwo na stronie systemu {provider}, a Rollcall nigdy nie widzi hasła. Rollcall przechowuje w postaci zaszyfrowanej dostęp przyznany przez system {provider}, a także nazwę, adres e-mail i numer telefonu konta.",
    settings:
      "Wybór w polu „{fields}” jest przechowywany w postaci zaszyfrowanej, dopóki istnieje połączenie.",
    data: "Dane odczytane przez aplikację {client} są przechowywane w postaci zaszyfrowanej do 14 dni od pobrania. Jeśli aplikacja {client} otrzymuje powiadomienia o zmianach, ostatnia lista pracowników jest przechowywana do porównania, dopóki istnieje połączenie.",
    end: "Aby zakończyć połączenie, proszę zwrócić się do dostawcy aplikacji {client}: dostęp kończy się natychmiast, a sesja i dane zostają tutaj usunięte. Zmiana hasła lub unieważnienie klucza w systemie {provider} zwykle również kończy dostęp.",
    after: "Za dane już odczytane odpowiada dostawca aplikacji {client}.",
  },
  working: {
    text: "System {provider} sprawdza podane dane. Zwykle trwa to kilka sekund, rzadko dłużej niż minutę.",
    stay: "Nie trzeba nic robić: ta strona przejdzie dalej automatycznie. Do tego czasu nic nie zostanie udostępnione aplikacji {client}.",
    refresh: "Sprawdź teraz",
  },
  approval: {
    stay: "Po zatwierdzeniu logowania ta strona przejdzie dalej automatycznie; może to potrwać pół minuty. Do tego czasu nic nie zostanie udostępnione aplikacji {client}.",
  },
  refusals: {
    incorrect_username_or_password:
      "System {provider} nie przyjął tych danych logowania ({fields}). Proszę sprawdzić wpisane dane i spróbować ponownie. W razie utraty hasła lub klucza proszę najpierw ustawić nowe w systemie {provider}.",
    incorrect_mfa_or_otp: "Ten kod jest nieprawidłowy lub wygasł. Proszę wpisać nowy.",
    reauthentication_required:
      "System {provider} zakończył sesję zaraz po zalogowaniu. Proszę zalogować się ponownie.",
    additional_account_setup_required:
      "System {provider} wymaga najpierw dodatkowej czynności, na przykład ustawienia nowego hasła. Proszę zalogować się do systemu {provider} w innej karcie, wykonać polecenia i spróbować tutaj ponownie.",
    captcha_challenge:
      "System {provider} prosi o potwierdzenie, że nie są Państwo robotem, a tutaj nie jest to możliwe. Proszę zalogować się raz do systemu {provider} w innej karcie, odczekać kilka minut i spróbować tutaj ponownie.",
    insufficient_permission:
      "Logowanie powiodło się, ale to konto nie ma prawa do odczytu wszystkich danych, o które prosi aplikacja {client}. Proszę zalogować się na konto administratora lub poprosić administratora systemu {provider} o nadanie temu kontu uprawnień.",
  },
  problems: {
    choice: "Proszę wybrać jedną z możliwości.",
    "other-account":
      "Zalogowano na inne konto w systemie {provider} niż to, które jest połączone z aplikacją {client}. Proszę zalogować się na tamto konto.",
    unapproved:
      "Logowanie nie zostało zatwierdzone. Proszę zalogować się ponownie i zatwierdzić logowanie, gdy system {provider} o to poprosi.",
    throttled:
      "W ciągu godziny było zbyt wiele nieudanych logowań na to konto, dlatego podane dane nie zostały przekazane systemowi {provider}. Przeglądarka lub sieć, w której to konto było już łączone, ma własną pulę prób, podobnie jak osobisty link, który może przysłać aplikacja. Jeśli nie ma takiej możliwości lub próby zostały wyczerpane, proszę spróbować ponownie za godzinę.",
    unavailable:
      "System {provider} jest nieosiągalny lub przeciążony. Podane dane nie są tego przyczyną. Proszę spróbować ponownie za kilka minut.",
    unsupported:
      "System {provider} nie oferuje tego, czego wymaga to połączenie. Proszę anulować i skontaktować się z dostawcą aplikacji {client}.",
    broken:
      "System {provider} odpowiedział w nieoczekiwany sposób. Proszę spróbować ponownie. Jeśli to się powtórzy, proszę skontaktować się z dostawcą aplikacji {client}.",
    interrupted:
      "Logowanie zostało przerwane, zanim odpowiedział system {provider}. Proszę zalogować się ponownie.",
  },
  failed: {
    text: "System {provider} odrzucił logowanie zbyt wiele razy, dlatego ta próba została zakończona i nic nie zostało udostępnione. Proszę wrócić do aplikacji {client} i zacząć od nowa, mając prawidłowe dane.",
    back: "Wróć do aplikacji {client}",
  },
  done: {
    text: "Aplikacja {client} jest połączona z systemem {provider}. Można zamknąć tę stronę i kontynuować w aplikacji {client}.",
    declined:
      "Logowanie zostało anulowane. Aplikacja {client} nie otrzymała dostępu, a wpisane dane zostały usunięte. Można zamknąć tę stronę lub zacząć od nowa w aplikacji {client}.",
    declinedAgain:
      "Logowanie zostało anulowane, a wpisane dane zostały usunięte. Połączenie między aplikacją {client} a systemem {provider} pozostaje bez zmian. Można zamknąć tę stronę lub zacząć od nowa w aplikacji {client}.",
  },
  handover: {
    offer: "Wyślij do współpracownika",
    title: "Ktoś inny zaloguje się za Państwa",
    how: "Proszę wysłać ten link osobie, która ma dane logowania. Działa dla jednej osoby i przez 60 minut.",
    link: "Link do przekazania",
    mail: "Napisz e-mail z linkiem",
    mailSubject: "Prośba o zalogowanie: {client}",
    tell: "Następnie proszę podać te sześć cyfr telefonicznie lub osobiście, nie w tej samej wiadomości:",
    waiting:
      "Nikt jeszcze nie otworzył linku z tymi cyframi. Proszę zostawić tę stronę otwartą: przejdzie dalej automatycznie.",
    helping:
      "Trwa logowanie przez inną osobę. Proszę zostawić tę stronę otwartą: przejdzie dalej automatycznie.",
    back: "Zaloguj się samodzielnie",
    asked: "Prośba o zalogowanie",
    asksProvider:
      "Aplikacja {client} chce odczytywać dane z systemu {provider}. Osoba, która przysłała ten link, prosi o zalogowanie się w tym celu.",
    asksAny:
      "Aplikacja {client} chce odczytywać dane z Państwa systemu kadrowego lub płacowego. Osoba, która przysłała ten link, prosi o zalogowanie się w tym celu.",
    digits: "Sześć cyfr",
    help: "Osoba, która przysłała link, widzi je na swojej stronie i poda je telefonicznie lub osobiście. Jeśli nie wiadomo, kto to jest, proszę zamknąć tę stronę.",
    wrong: "Te cyfry są nieprawidłowe. Proszę zapytać osobę, która przysłała link.",
    thanks: "Dziękujemy",
    done: "Zalogowano do systemu {provider}. Aplikacja {client} działa dalej w przeglądarce osoby, która o to prosiła. Można zamknąć tę stronę.",
    stopped:
      "To logowanie zostało zakończone i nic nie zostało udostępnione. Osoba, która o nie prosiła, może przysłać nowy link.",
  },
  accesses: {
    choose:
      "Tutaj można sprawdzić, które aplikacje odczytują za pośrednictwem Rollcall dane z Państwa konta kadrowego lub płacowego, i zakończyć ich dostęp. Najpierw proszę wybrać system, do którego należy konto.",
    noneFound: "Brak wyników dla „{search}”. Proszę sprawdzić pisownię.",
    nothing: "Nie można się tutaj zalogować do żadnego systemu.",
    asks: "Proszę zalogować się do systemu {provider}, aby zobaczyć, które aplikacje mogą odczytywać dane z tego konta, i zakończyć ich dostęp. Proszę użyć konta, z którym aplikacje zostały połączone. Logowanie tutaj niczego nie udostępnia.",
    submit: "Zaloguj się",
    cancel: "Anuluj",
    stay: "Nie trzeba nic robić: ta strona przejdzie dalej automatycznie.",
    list: "Te aplikacje mogą za pośrednictwem Rollcall odczytywać dane z Państwa konta w systemie {provider}:",
    still: "Te aplikacje nadal mają dostęp do Państwa konta w systemie {provider}:",
    none: "Żadna aplikacja nie może za pośrednictwem Rollcall odczytywać danych z tego konta w systemie {provider}.",
    since: "Dostęp od {date}",
    reads: "Odczytuje: {scopes}",
    end: "Zakończ dostęp",
    endOf: "aplikacji {client}",
    settings: "Ustawienia",
    settingsWhy:
      "Te ustawienia określają, jak aplikacja {client} odczytuje Państwa dane. Zmiana obowiązuje od następnego pobrania, bez ponownego logowania.",
    save: "Zapisz",
    saved: "Ustawienia zostały zapisane.",
    endTitle: "Zakończyć dostęp aplikacji {client}?",
    stops:
      "Aplikacja {client} nie będzie już mogła niczego odczytać z Państwa konta w systemie {provider}. Dostęp kończy się natychmiast, a sesja i przechowywane tutaj dane zostają usunięte. Za dane już odczytane odpowiada dostawca aplikacji {client}. Nowe połączenie zaczyna się w aplikacji {client}.",
    othersStay: "Bez zmian pozostaje dostęp: {clients}.",
    keep: "Zachowaj dostęp",
    ended: "Dostęp został zakończony.",
    ends: "Dostęp kończy się natychmiast, a sesja i przechowywane tutaj dane zostają usunięte. Za dane już odczytane odpowiada dostawca danej aplikacji.",
    missing:
      "Brakuje którejś? Nie widać tu dostępu udzielonego z innego konta lub innym kluczem ani udzielonego, zanim powstała ta strona. W takim przypadku proszę zwrócić się do dostawcy aplikacji o zakończenie połączenia.",
    signOut: "Wyloguj się",
    closed: "Ta przeglądarka nie ma już dostępu do tej strony.",
    again: "Zaloguj się ponownie",
    failed:
      "System {provider} odrzucił logowanie zbyt wiele razy, dlatego ta próba została zakończona.",
    link: "Sprawdź i zakończ dostęp",
    kept: "Dostęp można też w każdej chwili zakończyć samodzielnie:",
  },
  errors: {
    expired:
      "Ze względów bezpieczeństwa logowanie jest otwarte tylko przez ograniczony czas. Proszę wrócić do aplikacji, z której otwarto tę stronę, i zacząć od nowa.",
    used: "Link działa tylko raz i tylko w jednej przeglądarce. Jeśli logowanie już się rozpoczęło, proszę kontynuować w tej samej przeglądarce. W przeciwnym razie proszę wrócić do aplikacji, z której otwarto tę stronę, i poprosić o nowy link.",
    unknown:
      "Zostało zakończone, wygasło albo rozpoczęło się w innej przeglądarce. Proszę wrócić do aplikacji, z której otwarto tę stronę, i zacząć od nowa. Jeśli ta strona pojawi się znowu, proszę sprawdzić, czy przeglądarka zezwala tu na pliki cookie.",
    nowhere:
      "Pod tym adresem nie ma strony. Proszę sprawdzić pisownię lub wrócić do poprzedniej strony.",
    home: "Przejdź do strony głównej",
    link: "Link jest niekompletny lub nieprawidłowy. Nic nie zostało udostępnione. Proszę wrócić do aplikacji, z której otwarto tę stronę, i spróbować ponownie. Jeśli to się powtórzy, proszę skontaktować się z pomocą techniczną aplikacji.",
    detail: "Dla programistów aplikacji:",
    clientUnknown: "client_id jest nieznany.",
    redirectUnknown:
      "redirect_uri nie zgadza się dokładnie z żadnym z zarejestrowanych adresów klienta. Częste przyczyny: ukośnik na końcu, http zamiast https, localhost zamiast 127.0.0.1.",
    repeated: "Brakuje client_id lub redirect_uri albo występuje więcej niż raz.",
    forged:
      "Nie został wysłany z tej strony w postaci, w jakiej została wyświetlona. Do Państwa systemu nic nie zostało przekazane.",
    tooMany:
      "Z Państwa sieci przyszło zbyt wiele zapytań. Proszę odczekać minutę i spróbować ponownie.",
    unavailable:
      "W tej chwili nie można wyświetlić strony logowania. Proszę spróbować ponownie za minutę.",
    server:
      "To był nasz błąd. Proszę spróbować ponownie za minutę. Jeśli to się powtórzy, proszę skontaktować się z pomocą techniczną aplikacji, z której otwarto tę stronę.",
    reference: "Prosząc o pomoc, należy podać ten numer: {reference}",
    again: "Spróbuj ponownie",
    reopen: "Otwórz logowanie ponownie",
  },
  footer: {
    about: "Rollcall łączy aplikacje z systemami kadrowymi i płacowymi, tylko do odczytu.",
    operator: "Operator: {operator}",
    language: "Język",
    privacy: "Prywatność",
    imprint: "Nota prawna",
    support: "Pomoc",
  },
  adapters: {
    "There is no such address. Please check its spelling.":
      "Taki adres nie istnieje. Proszę sprawdzić pisownię.",
    "This address could not be looked up. Please check its spelling, or try again in a few minutes.":
      "Nie udało się odnaleźć tego adresu. Proszę sprawdzić pisownię lub spróbować ponownie za kilka minut.",
    "Nothing answers at this address. Please check its spelling, and the port if it has one.":
      "Pod tym adresem nic nie odpowiada. Proszę sprawdzić pisownię oraz port, jeśli został podany.",
    "Nothing has answered at this address in time. Please check whether it can be reached from the internet, or try again in a few minutes.":
      "Pod tym adresem nic nie odpowiedziało na czas. Proszę sprawdzić, czy jest dostępny z internetu, lub spróbować ponownie za kilka minut.",
    "The certificate of this address is not valid, so nothing was sent there. Please check the spelling of the address.":
      "Certyfikat tego adresu jest nieważny, dlatego nic tam nie wysłano. Proszę sprawdzić pisownię adresu.",
    "Something else answers at this address. Please check it.":
      "Pod tym adresem odpowiada inny system. Proszę sprawdzić adres.",
    "This address leads to another one. Please type the one that your browser shows when you use the system.":
      "Ten adres prowadzi do innego. Proszę wpisać adres, który pokazuje przeglądarka podczas korzystania z systemu.",
    "The server at this address fails at the moment. Please check the address, or try again in a few minutes.":
      "Serwer pod tym adresem ma w tej chwili awarię. Proszę sprawdzić adres lub spróbować ponownie za kilka minut.",
    "Nothing that can be connected was found at this address. Please check it, or ask your administrator.":
      "Pod tym adresem nie znaleziono niczego, co można połączyć. Proszę sprawdzić adres lub zapytać administratora.",
    "Too many addresses were tried from your network within an hour. Please try again in an hour.":
      "Z Państwa sieci sprawdzono w ciągu godziny zbyt wiele adresów. Proszę spróbować ponownie za godzinę.",
    "Please fill in this field.": "Proszę wypełnić to pole.",
    "Please choose one of these.": "Proszę wybrać jedną z możliwości.",
    "Please type less in this field.": "Proszę wpisać krótszy tekst w tym polu.",
    "This address cannot be used. It has to be public and to begin with https.":
      "Tego adresu nie można użyć. Musi być publiczny i zaczynać się od https.",
    "User name": "Nazwa użytkownika",
    Password: "Hasło",
    "API key": "Klucz API",
    Email: "Adres e-mail",
    "Six-digit code from your authenticator app":
      "Sześciocyfrowy kod z aplikacji uwierzytelniającej",
  },
};
