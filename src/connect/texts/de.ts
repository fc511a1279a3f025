import type { Texts } from "./en.ts";

export const de: Texts = {
  language: "Deutsch",
  title: {
    choose: "Wählen Sie Ihr Personal- oder Lohnsystem",
    signIn: "Bei {provider} anmelden",
    working: "Anmeldung bei {provider}",
    question: "Noch ein Schritt",
    approval: "Anmeldung bestätigen",
    failed: "Die Anmeldung ist fehlgeschlagen",
    done: "Die Verbindung steht",
    declined: "Es wurde nichts freigegeben",
    expired: "Diese Anmeldung ist abgelaufen",
    used: "Dieser Link wurde bereits verwendet",
    unknown: "Diese Anmeldung ist nicht mehr offen",
    nowhere: "Hier ist nichts",
    link: "Dieser Link funktioniert nicht",
    forged: "Dieses Formular kann nicht verarbeitet werden",
    tooMany: "Einen Moment bitte",
    trouble: "Etwas ist schiefgegangen",
    accesses: "Anwendungen mit Zugriff",
    closed: "Sie sind abgemeldet",
    problem: "Problem: {title}",
  },
  consent: {
    asks: "{client} möchte über Rollcall Daten aus Ihrem Personal- oder Lohnsystem lesen. Wählen Sie das System, das Ihr Unternehmen verwendet.",
    asksProvider:
      "{client} möchte über Rollcall Daten aus {provider} lesen. Sie erlauben das, indem Sie sich hier bei {provider} anmelden.",
    asksElsewhere: "{client} verwendet Rollcall, um Daten aus {provider} zu lesen.",
    asksAgain:
      "{client} bittet Sie, sich erneut bei {provider} anzumelden, damit dieselben Daten weiterhin gelesen werden können. Bitte verwenden Sie dasselbe Konto wie zuvor.",
    wants: "{client} möchte Folgendes lesen:",
    allows: "Mit der Anmeldung erlauben Sie {client}, Folgendes zu lesen:",
    scope: "{name}: {holds}",
    details: "Einzelheiten",
    readOnly: "Nur Lesezugriff: In Ihrem System wird nichts verändert.",
    lacks: "Diese Daten hat {provider} nicht oder kann sie uns nicht geben: {data}.",
    lasts: "Der Zugriff gilt, bis Sie oder {client} ihn beenden.",
    returns: "Danach kehren Sie zu {host} zurück.",
    returnsHere: "Danach kehren Sie zur Anwendung auf diesem Computer zurück.",
    purpose: "Wofür {client} die Daten nach eigenen Angaben braucht: „{purpose}“",
    privacy: "Datenschutzhinweise von {client}",
    support: "Hilfe von {client}",
  },
  employeeData: {
    contact: "Kontaktdaten",
    job: "Tätigkeit",
    pay: "Gehalt",
    bank_account: "Bankverbindung",
    tax_id: "Steuernummer",
    date_of_birth: "Geburtsdatum",
    nationality: "Staatsangehörigkeit",
    gender: "Geschlecht",
    ethnicity: "ethnische Herkunft",
    marital_status: "Familienstand",
    relatives: "Angehörige",
    emergency: "Notfallkontakte",
  },
  scopes: {
    company: { name: "Unternehmen", holds: "Name, Steuernummer, Adresse" },
    employee: { name: "Einzelne Beschäftigte" },
    employees: { name: "Beschäftigte" },
    groups: { name: "Gruppen", holds: "Abteilungen und Teams" },
    identity: { name: "Ihr Konto", holds: "Ihr Name, Ihre E-Mail-Adresse und Ihre Telefonnummer" },
    payruns: { name: "Lohnläufe", holds: "Zeiträume und Zahltage" },
    "payruns/:payrun_id": { name: "Lohnabrechnungen", holds: "Bezüge, Steuern und Abzüge" },
    "time-off-balances": { name: "Urlaubskonten", holds: "verbrauchte und verbleibende Tage" },
    "time-off-entries": {
      name: "Abwesenheiten",
      holds: "Urlaub, Krankheit und andere freie Zeiten",
    },
    timesheets: { name: "Zeiterfassung", holds: "geleistete Arbeitszeiten" },
    "work-locations": { name: "Arbeitsorte", holds: "Namen und Adressen" },
  },
  test: {
    band: "Test: keine echten Daten",
    refused: "user_bad_password wird immer abgelehnt; versuchen Sie es mit user_good.",
    otp: "In der Sandbox lautet der Code 123456.",
  },
  choose: {
    search: "Ihr System suchen",
    submit: "Suchen",
    none: "Keine Treffer für „{search}“. Prüfen Sie die Schreibweise oder teilen Sie {client} mit, dass Ihr System fehlt.",
    nothing: "Es steht kein System zur Auswahl. Bitte wenden Sie sich an {client}.",
    count: { one: "1 System", other: "{count} Systeme" },
  },
  form: {
    submit: "Anmelden und verbinden",
    answer: "Weiter",
    decline: "Abbrechen und zu {client} zurückkehren",
    other: "Anderes System wählen",
    show: "Anzeigen",
    hide: "Verbergen",
    otpWhy: "{provider} möchte sichergehen, dass Sie es sind.",
    askWhy: "{provider} benötigt noch eine Angabe.",
    again:
      "Es wurde nichts weitergegeben: Diese Seite war zu lange geöffnet, oder Ihr Browser hat kein Cookie mit dem Formular gesendet. Bitte füllen Sie es erneut aus. Wenn Sie diese Meldung zweimal sehen, lassen Sie Cookies für diese Seite zu.",
    wrongAnswer: "{provider} hat diese Antwort nicht akzeptiert. Bitte versuchen Sie es erneut.",
    guide: "So verbinden Sie {provider}",
    found: "Ihr {system} wurde gefunden: {address}.",
    settings: "Einstellungen, die Sie so lassen können",
    otherAddress: "Adresse ändern",
    where: "Wo Sie das finden",
    newTab: "öffnet sich in einem neuen Tab",
    secret: {
      passed: "Rollcall gibt diese Eingabe einmal an {provider} weiter und speichert sie nicht.",
      kept: "Rollcall speichert diese Eingabe verschlüsselt und sendet sie bei jeder Abfrage an {provider}.",
      simulated:
        "{provider} ist kein echtes System: Diese Eingabe wird weder weitergegeben noch gespeichert.",
    },
    unseen: "{client} sieht sie nie.",
  },
  recipe: {
    share: "Diese Anleitung als Seite, die Sie weitergeben können",
    shared:
      "Diese Seite ist für die Person, die den Schlüssel oder das Passwort von {provider} hat. Beides wird nur auf der Anmeldeseite eingegeben: Senden Sie es nicht per E-Mail oder Chat. Wer Ihnen diese Seite geschickt hat, kann die Anmeldung mit Ihnen öffnen.",
    rights: "Welche Rechte nötig sind",
    ending: "So beenden Sie den Zugriff später in {provider}",
    drawn: "Die Zeichnungen sind vereinfacht. Ihr {provider} kann anders aussehen.",
    drawing: "Zeichnung. Markiert: {label}.",
  },
  elsewhere: {
    submit: "Weiter zu {provider}",
    text: "Sie melden sich auf der Seite von {provider} an und stimmen dem Zugriff dort zu. Danach kommen Sie hierher zurück.",
    working: "Rollcall schließt die Anmeldung bei {provider} ab. Das dauert meist einige Sekunden.",
  },
  kept: {
    title: "Speicherung, Dauer und Widerruf",
    session:
      "Ihr Passwort wird einmal zum Anmelden verwendet und nicht gespeichert. Rollcall speichert verschlüsselt die Sitzung, die {provider} dafür ausstellt, sowie Name, E-Mail-Adresse und Telefonnummer des Kontos.",
    secret:
      "Rollcall speichert den eingegebenen Schlüssel verschlüsselt, weil {provider} ihn bei jeder Abfrage verlangt, außerdem Name, E-Mail-Adresse und Telefonnummer des Kontos.",
    grant:
      "Sie melden sich bei {provider} an, und Rollcall sieht Ihr Passwort nie. Rollcall speichert verschlüsselt den Zugriff, den {provider} gewährt, dazu Name, E-Mail-Adresse und Telefonnummer des Kontos.",
    settings:
      "Was Sie bei „{fields}“ wählen, wird verschlüsselt gespeichert, solange die Verbindung besteht.",
    data: "Daten, die {client} liest, werden nach dem Abruf bis zu 14 Tage verschlüsselt gespeichert. Wird {client} über Änderungen informiert, bleibt die jeweils letzte Liste der Beschäftigten zum Vergleich gespeichert, solange die Verbindung besteht.",
    end: "Um die Verbindung zu trennen, wenden Sie sich an {client}: Der Zugriff endet sofort, und Sitzung und Daten werden hier gelöscht. Wenn Sie bei {provider} das Passwort ändern oder den Schlüssel widerrufen, endet der Zugriff in der Regel ebenfalls.",
    after: "Für Daten, die {client} bereits gelesen hat, ist {client} selbst verantwortlich.",
  },
  working: {
    text: "{provider} prüft Ihre Eingaben. Das dauert meist nur wenige Sekunden und selten länger als eine Minute.",
    stay: "Sie müssen nichts tun: Es geht automatisch weiter. Bis dahin wird nichts an {client} weitergegeben.",
    refresh: "Jetzt prüfen",
  },
  approval: {
    stay: "Sobald Sie die Anmeldung bestätigt haben, geht es automatisch weiter; das kann eine halbe Minute dauern. Bis dahin wird nichts an {client} weitergegeben.",
  },
  refusals: {
    incorrect_username_or_password:
      "{provider} hat diese Zugangsdaten nicht akzeptiert ({fields}). Prüfen Sie Ihre Eingaben und versuchen Sie es erneut. Falls Ihnen Passwort oder Schlüssel fehlen, setzen Sie sie zuerst bei {provider} zurück.",
    incorrect_mfa_or_otp:
      "Dieser Code ist falsch oder abgelaufen. Bitte geben Sie einen neuen Code ein.",
    reauthentication_required:
      "{provider} hat die Sitzung direkt nach der Anmeldung beendet. Bitte melden Sie sich erneut an.",
    additional_account_setup_required:
      "{provider} verlangt zuerst noch etwas von Ihnen, zum Beispiel ein neues Passwort. Melden Sie sich in einem anderen Tab bei {provider} an, folgen Sie den Anweisungen und versuchen Sie es dann hier erneut.",
    captcha_challenge:
      "{provider} möchte sich vergewissern, dass Sie kein Roboter sind. Das ist hier nicht möglich. Melden Sie sich einmal in einem anderen Tab bei {provider} an, warten Sie ein paar Minuten und versuchen Sie es dann hier erneut.",
    insufficient_permission:
      "Die Anmeldung war erfolgreich, aber dieses Konto darf nicht alle Daten lesen, die {client} anfragt. Melden Sie sich mit einem Administratorkonto an oder bitten Sie Ihre {provider}-Administration, diesem Konto die nötigen Rechte zu geben.",
  },
  problems: {
    choice: "Bitte wählen Sie eine der Möglichkeiten.",
    "other-account":
      "Sie haben sich mit einem anderen {provider}-Konto angemeldet als dem, mit dem {client} verbunden wurde. Bitte melden Sie sich mit jenem Konto an.",
    unapproved:
      "Die Anmeldung wurde nicht bestätigt. Bitte melden Sie sich erneut an und bestätigen Sie die Anmeldung, wenn {provider} Sie dazu auffordert.",
    throttled:
      "Bei diesem Konto sind innerhalb einer Stunde zu viele Anmeldungen fehlgeschlagen. Ihre Eingaben wurden deshalb nicht an {provider} weitergegeben. Ein Browser oder Netzwerk, in dem dieses Konto schon einmal verbunden wurde, hat eigene Versuche, ebenso ein persönlicher Link, den Ihnen die Anwendung schicken kann. Wenn Sie nichts davon haben oder diese Versuche aufgebraucht sind, versuchen Sie es bitte in einer Stunde erneut.",
    unavailable:
      "{provider} ist nicht erreichbar oder überlastet. An Ihren Eingaben liegt es nicht. Bitte versuchen Sie es in ein paar Minuten erneut.",
    unsupported:
      "{provider} bietet nicht an, was für diese Verbindung nötig ist. Bitte brechen Sie ab und wenden Sie sich an {client}.",
    broken:
      "{provider} hat unerwartet geantwortet. Bitte versuchen Sie es erneut. Wenn der Fehler wieder auftritt, wenden Sie sich an {client}.",
    interrupted:
      "Die Anmeldung wurde unterbrochen, bevor {provider} geantwortet hat. Bitte melden Sie sich erneut an.",
  },
  failed: {
    text: "{provider} hat die Anmeldung zu oft abgelehnt. Dieser Versuch ist deshalb beendet, und es wurde nichts freigegeben. Kehren Sie zu {client} zurück und beginnen Sie von vorn, sobald Sie die richtigen Zugangsdaten haben.",
    back: "Zurück zu {client}",
  },
  done: {
    text: "{client} ist mit {provider} verbunden. Sie können diese Seite schließen und in {client} fortfahren.",
    declined:
      "Sie haben die Anmeldung abgebrochen. {client} hat keinen Zugriff erhalten, und Ihre Eingaben wurden gelöscht. Sie können diese Seite schließen oder in {client} von vorn beginnen.",
    declinedAgain:
      "Sie haben die Anmeldung abgebrochen, und Ihre Eingaben wurden gelöscht. Die Verbindung zwischen {client} und {provider} ist unverändert. Sie können diese Seite schließen oder in {client} von vorn beginnen.",
  },
  handover: {
    offer: "An eine Kollegin oder einen Kollegen senden",
    title: "Jemand meldet sich für Sie an",
    how: "Senden Sie diesen Link der Person, die die Zugangsdaten hat. Er gilt für eine Person und 60 Minuten lang.",
    link: "Link zum Weitergeben",
    mail: "E-Mail mit dem Link schreiben",
    mailSubject: "Bitte melden Sie sich für {client} an",
    tell: "Nennen Sie ihr dann diese sechs Ziffern am Telefon oder persönlich, nicht in derselben Nachricht:",
    waiting:
      "Noch hat niemand den Link mit den Ziffern geöffnet. Lassen Sie diese Seite offen: Es geht automatisch weiter.",
    helping: "Die Anmeldung läuft. Lassen Sie diese Seite offen: Es geht automatisch weiter.",
    back: "Doch selbst anmelden",
    asked: "Sie werden gebeten, sich anzumelden",
    asksProvider:
      "{client} möchte Daten aus {provider} lesen. Wer Ihnen diesen Link geschickt hat, bittet Sie, sich dafür anzumelden.",
    asksAny:
      "{client} möchte Daten aus Ihrem Personal- oder Lohnsystem lesen. Wer Ihnen diesen Link geschickt hat, bittet Sie, sich dafür anzumelden.",
    digits: "Sechs Ziffern",
    help: "Wer Ihnen den Link geschickt hat, sieht sie auf der eigenen Seite und nennt sie Ihnen am Telefon oder persönlich. Wenn Sie nicht wissen, wer das ist, schließen Sie diese Seite.",
    wrong: "Diese Ziffern stimmen nicht. Fragen Sie die Person, die Ihnen den Link geschickt hat.",
    thanks: "Vielen Dank",
    done: "Sie haben sich bei {provider} angemeldet. {client} macht im Browser der Person weiter, die Sie gebeten hat. Sie können diese Seite schließen.",
    stopped:
      "Diese Anmeldung ist beendet, und es wurde nichts freigegeben. Die Person, die Sie gebeten hat, kann Ihnen einen neuen Link senden.",
  },
  accesses: {
    choose:
      "Hier sehen Sie, welche Anwendungen über Rollcall Daten aus Ihrem Personal- oder Lohnkonto lesen, und können deren Zugriff beenden. Wählen Sie zuerst das System, zu dem das Konto gehört.",
    noneFound: "Keine Treffer für „{search}“. Prüfen Sie die Schreibweise.",
    nothing: "Hier kann man sich bei keinem System anmelden.",
    asks: "Melden Sie sich bei {provider} an, um zu sehen, welche Anwendungen Daten aus diesem Konto lesen dürfen, und um deren Zugriff zu beenden. Verwenden Sie das Konto, mit dem Sie die Anwendungen verbunden haben. Durch die Anmeldung hier wird nichts freigegeben.",
    submit: "Anmelden",
    cancel: "Abbrechen",
    stay: "Sie müssen nichts tun: Es geht automatisch weiter.",
    list: "Diese Anwendungen dürfen über Rollcall Daten aus Ihrem {provider}-Konto lesen:",
    still: "Diese Anwendungen haben weiterhin Zugriff auf Ihr {provider}-Konto:",
    none: "Keine Anwendung darf über Rollcall Daten aus diesem {provider}-Konto lesen.",
    since: "Zugriff seit {date}",
    reads: "Liest: {scopes}",
    end: "Zugriff beenden",
    endOf: "von {client}",
    settings: "Einstellungen",
    settingsWhy:
      "Diese Einstellungen bestimmen, wie {client} Ihre Daten liest. Eine Änderung gilt ab dem nächsten Abruf, ohne erneute Anmeldung.",
    save: "Speichern",
    saved: "Die Einstellungen sind gespeichert.",
    endTitle: "Zugriff von {client} beenden?",
    stops:
      "{client} kann danach nichts mehr aus Ihrem {provider}-Konto lesen. Der Zugriff endet sofort, und die Sitzung sowie die hier gespeicherten Daten werden gelöscht. Für bereits gelesene Daten ist {client} selbst verantwortlich. Eine neue Verbindung beginnen Sie in {client}.",
    othersStay: "Davon nicht betroffen: {clients}.",
    keep: "Zugriff behalten",
    ended: "Der Zugriff ist beendet.",
    ends: "Der Zugriff endet sofort, und die Sitzung sowie die hier gespeicherten Daten werden gelöscht. Für bereits gelesene Daten ist die jeweilige Anwendung selbst verantwortlich.",
    missing:
      "Fehlt eine? Zugriffe, die mit einem anderen Konto oder Schlüssel erteilt wurden, werden hier nicht angezeigt, ebenso wenig Zugriffe aus der Zeit vor dieser Seite. Bitten Sie dann die Anwendung, die Verbindung zu trennen.",
    signOut: "Abmelden",
    closed: "Dieser Browser hat keinen Zugang mehr zu dieser Seite.",
    again: "Erneut anmelden",
    failed: "{provider} hat die Anmeldung zu oft abgelehnt. Dieser Versuch ist deshalb beendet.",
    link: "Zugriffe ansehen und beenden",
    kept: "Sie können den Zugriff auch jederzeit selbst beenden:",
  },
  errors: {
    expired:
      "Zu Ihrer Sicherheit ist eine Anmeldung nur für begrenzte Zeit offen. Kehren Sie zu der Anwendung zurück, die Sie hierher weitergeleitet hat, und beginnen Sie von vorn.",
    used: "Ein Link gilt nur einmal und nur in einem Browser. Wenn Sie die Anmeldung bereits begonnen haben, fahren Sie in dem Browser fort, in dem Sie begonnen haben. Andernfalls kehren Sie zu der Anwendung zurück, die Sie hierher weitergeleitet hat, und fordern Sie einen neuen Link an.",
    unknown:
      "Sie ist beendet oder abgelaufen oder wurde in einem anderen Browser begonnen. Kehren Sie zu der Anwendung zurück, die Sie hierher weitergeleitet hat, und beginnen Sie von vorn. Falls Sie wieder auf dieser Seite landen, prüfen Sie, ob Ihr Browser hier Cookies zulässt.",
    nowhere:
      "Unter dieser Adresse gibt es keine Seite. Prüfen Sie die Schreibweise oder kehren Sie zur vorherigen Seite zurück.",
    home: "Zur Startseite",
    link: "Der Link ist unvollständig oder fehlerhaft. Es wurde nichts freigegeben. Kehren Sie zu der Anwendung zurück, die Sie hierher weitergeleitet hat, und versuchen Sie es erneut. Wenn der Fehler wieder auftritt, wenden Sie sich an den Support der Anwendung.",
    detail: "Hinweis für deren Entwicklungsteam:",
    clientUnknown: "client_id ist unbekannt.",
    redirectUnknown:
      "redirect_uri stimmt mit keiner der registrierten Adressen des Clients genau überein. Häufige Ursachen: ein Schrägstrich am Ende, http statt https, localhost statt 127.0.0.1.",
    repeated: "client_id oder redirect_uri fehlt oder kommt mehrfach vor.",
    forged:
      "Es wurde nicht von dieser Seite gesendet, wie sie Ihnen angezeigt wurde. An Ihr System wurde nichts weitergegeben.",
    tooMany:
      "Aus Ihrem Netzwerk kamen zu viele Anfragen. Bitte warten Sie eine Minute und versuchen Sie es dann erneut.",
    unavailable:
      "Die Anmeldung kann im Moment nicht angezeigt werden. Bitte versuchen Sie es in einer Minute erneut.",
    server:
      "Das war unser Fehler. Bitte versuchen Sie es in einer Minute erneut. Wenn der Fehler wieder auftritt, wenden Sie sich an den Support der Anwendung, die Sie hierher weitergeleitet hat.",
    reference: "Wenn Sie um Hilfe bitten, geben Sie diese Nummer an: {reference}",
    again: "Erneut versuchen",
    reopen: "Anmeldung erneut öffnen",
  },
  footer: {
    about: "Rollcall verbindet Anwendungen mit Personal- und Lohnsystemen – ausschließlich lesend.",
    operator: "Betrieben von {operator}",
    privacy: "Datenschutz",
    imprint: "Impressum",
    support: "Hilfe",
    language: "Sprache",
  },
  adapters: {
    "There is no such address. Please check its spelling.":
      "Diese Adresse gibt es nicht. Bitte prüfen Sie die Schreibweise.",
    "This address could not be looked up. Please check its spelling, or try again in a few minutes.":
      "Diese Adresse konnte nicht nachgeschlagen werden. Bitte prüfen Sie die Schreibweise oder versuchen Sie es in einigen Minuten erneut.",
    "Nothing answers at this address. Please check its spelling, and the port if it has one.":
      "Diese Adresse antwortet nicht. Bitte prüfen Sie die Schreibweise und gegebenenfalls den Port.",
    "Nothing has answered at this address in time. Please check whether it can be reached from the internet, or try again in a few minutes.":
      "Unter dieser Adresse kam keine rechtzeitige Antwort. Bitte prüfen Sie, ob sie aus dem Internet erreichbar ist, oder versuchen Sie es in einigen Minuten erneut.",
    "The certificate of this address is not valid, so nothing was sent there. Please check the spelling of the address.":
      "Das Zertifikat dieser Adresse ist nicht gültig, deshalb wurde nichts dorthin gesendet. Bitte prüfen Sie die Schreibweise der Adresse.",
    "Something else answers at this address. Please check it.":
      "Unter dieser Adresse antwortet ein anderes System. Bitte prüfen Sie die Adresse.",
    "This address leads to another one. Please type the one that your browser shows when you use the system.":
      "Diese Adresse leitet auf eine andere weiter. Bitte geben Sie die Adresse ein, die Ihr Browser anzeigt, wenn Sie das System verwenden.",
    "The server at this address fails at the moment. Please check the address, or try again in a few minutes.":
      "Der Server unter dieser Adresse ist derzeit gestört. Bitte prüfen Sie die Adresse oder versuchen Sie es in einigen Minuten erneut.",
    "Nothing that can be connected was found at this address. Please check it, or ask your administrator.":
      "Unter dieser Adresse wurde nichts gefunden, das sich verbinden lässt. Bitte prüfen Sie sie oder fragen Sie Ihre Administration.",
    "Too many addresses were tried from your network within an hour. Please try again in an hour.":
      "Aus Ihrem Netz wurden innerhalb einer Stunde zu viele Adressen versucht. Bitte versuchen Sie es in einer Stunde erneut.",
    "Please fill in this field.": "Bitte füllen Sie dieses Feld aus.",
    "Please choose one of these.": "Bitte wählen Sie eine der Möglichkeiten.",
    "Please type less in this field.": "Bitte kürzen Sie die Eingabe in diesem Feld.",
    "This address cannot be used. It has to be public and to begin with https.":
      "Diese Adresse kann nicht verwendet werden. Sie muss öffentlich erreichbar sein und mit https beginnen.",
    "User name": "Benutzername",
    Password: "Passwort",
    "API key": "API-Schlüssel",
    Email: "E-Mail-Adresse",
    "Six-digit code from your authenticator app": "Sechsstelliger Code aus Ihrer Authenticator-App",
  },
};
