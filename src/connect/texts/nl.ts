import type { Texts } from "./en.ts";

export const nl: Texts = {
  language: "Nederlands",
  title: {
    choose: "Kies uw HR- of salarissysteem",
    signIn: "Inloggen bij {provider}",
    working: "Bezig met inloggen bij {provider}",
    question: "Nog één stap",
    approval: "Keur de aanmelding goed",
    failed: "Inloggen is mislukt",
    done: "De koppeling is gemaakt",
    declined: "Er is niets gedeeld",
    expired: "Deze aanmelding is verlopen",
    used: "Deze link is al gebruikt",
    unknown: "Deze aanmelding staat niet meer open",
    nowhere: "Hier is niets",
    link: "Deze link werkt niet",
    forged: "Dit formulier kan niet worden verwerkt",
    tooMany: "Een ogenblik alstublieft",
    trouble: "Er is iets misgegaan",
    accesses: "Applicaties met toegang",
    closed: "U bent uitgelogd",
    problem: "Probleem: {title}",
  },
  consent: {
    asks: "{client} wil via Rollcall gegevens uit uw HR- of salarissysteem lezen. Kies het systeem dat uw bedrijf gebruikt.",
    asksProvider:
      "{client} wil via Rollcall gegevens uit {provider} lezen. U geeft daarvoor toestemming door hier in te loggen bij {provider}.",
    asksElsewhere: "{client} gebruikt Rollcall om gegevens uit {provider} te lezen.",
    asksAgain:
      "{client} vraagt u opnieuw in te loggen bij {provider}, zodat dezelfde gegevens gelezen kunnen blijven worden. Gebruik hetzelfde account als voorheen.",
    wants: "{client} wil het volgende lezen:",
    allows: "Door in te loggen geeft u {client} toestemming om het volgende te lezen:",
    scope: "{name}: {holds}",
    details: "Details",
    readOnly: "Alleen leestoegang: in uw systeem wordt niets gewijzigd.",
    lacks: "{provider} heeft deze gegevens niet of kan ze niet aan ons geven: {data}.",
    lasts: "De toegang geldt totdat u of {client} deze beëindigt.",
    returns: "Daarna keert u terug naar {host}.",
    returnsHere: "Daarna keert u terug naar de applicatie op deze computer.",
    purpose: "Waarvoor {client} de gegevens naar eigen zeggen nodig heeft: “{purpose}”",
    privacy: "Privacyverklaring van {client}",
    support: "Hulp van {client}",
  },
  employeeData: {
    contact: "contactgegevens",
    job: "functie",
    pay: "salaris",
    bank_account: "bankrekening",
    tax_id: "fiscaal nummer",
    date_of_birth: "geboortedatum",
    nationality: "nationaliteit",
    gender: "geslacht",
    ethnicity: "etniciteit",
    marital_status: "burgerlijke staat",
    relatives: "gezinsleden",
    emergency: "contactpersonen voor noodgevallen",
  },
  scopes: {
    company: { name: "Bedrijf", holds: "naam, fiscaal nummer, adres" },
    employee: { name: "Afzonderlijke medewerkers" },
    employees: { name: "Medewerkers" },
    groups: { name: "Groepen", holds: "afdelingen en teams" },
    identity: { name: "Uw account", holds: "uw naam, e-mailadres en telefoonnummer" },
    payruns: { name: "Salarisruns", holds: "perioden en betaaldatums" },
    "payruns/:payrun_id": { name: "Loonstroken", holds: "loon, belastingen en inhoudingen" },
    "time-off-balances": { name: "Verlofsaldi", holds: "opgenomen en resterende dagen" },
    "time-off-entries": {
      name: "Verlof en verzuim",
      holds: "vakantie, ziekte en andere afwezigheid",
    },
    timesheets: { name: "Urenregistratie", holds: "gewerkte uren" },
    "work-locations": { name: "Werklocaties", holds: "namen en adressen" },
  },
  test: {
    band: "Test: geen echte gegevens",
    refused: "user_bad_password wordt altijd geweigerd; probeer user_good.",
    otp: "In de sandbox is de code 123456.",
  },
  choose: {
    search: "Zoek uw systeem",
    submit: "Zoeken",
    none: "Geen resultaten voor “{search}”. Controleer de spelling of laat {client} weten dat uw systeem ontbreekt.",
    nothing: "Er zijn geen systemen om uit te kiezen. Neem contact op met {client}.",
    count: { one: "1 systeem", other: "{count} systemen" },
  },
  form: {
    submit: "Inloggen en koppelen",
    answer: "Doorgaan",
    decline: "Annuleren en terug naar {client}",
    other: "Een ander systeem kiezen",
    show: "Tonen",
    hide: "Verbergen",
    otpWhy: "{provider} wil zeker weten dat u het bent.",
    askWhy: "{provider} heeft nog één gegeven van u nodig.",
    again:
      "Er is niets doorgegeven: deze pagina stond te lang open, of uw browser heeft geen cookie met het formulier meegestuurd. Vul het formulier opnieuw in. Ziet u dit bericht twee keer, sta dan cookies toe voor deze pagina.",
    wrongAnswer: "{provider} heeft dit antwoord niet geaccepteerd. Probeer het opnieuw.",
    guide: "Zo koppelt u {provider}",
    found: "Uw {system} is gevonden: {address}.",
    settings: "Instellingen die u zo kunt laten",
    otherAddress: "Adres wijzigen",
    where: "Waar u dit vindt",
    newTab: "wordt geopend in een nieuw tabblad",
    secret: {
      passed: "Rollcall geeft dit één keer door aan {provider} en bewaart het niet.",
      kept: "Rollcall slaat dit versleuteld op en stuurt het bij elke opvraging mee naar {provider}.",
      simulated: "{provider} is geen echt systeem: dit wordt niet doorgegeven en niet bewaard.",
    },
    unseen: "{client} krijgt het nooit te zien.",
  },
  recipe: {
    share: "Deze uitleg als pagina die u kunt doorsturen",
    shared:
      "Deze pagina is voor wie de sleutel of het wachtwoord van {provider} heeft. Die worden alleen op de inlogpagina ingevoerd: stuur ze niet per e-mail of chat. Wie u deze pagina heeft gestuurd, kan de inlogpagina samen met u openen.",
    rights: "Welke rechten nodig zijn",
    ending: "Zo beëindigt u de toegang later in {provider}",
    drawn: "De tekeningen zijn vereenvoudigd. {provider} kan er bij u anders uitzien.",
    drawing: "Tekening. Gemarkeerd: {label}.",
  },
  elsewhere: {
    submit: "Doorgaan naar {provider}",
    text: "U logt in op de pagina van {provider} zelf en keurt de toegang daar goed. Daarna komt u hier terug.",
    working: "Rollcall rondt de aanmelding bij {provider} af. Dat duurt meestal enkele seconden.",
  },
  kept: {
    title: "Wat we bewaren, hoe lang, en hoe u de koppeling verbreekt",
    session:
      "Uw wachtwoord wordt één keer gebruikt om in te loggen en wordt niet bewaard. Rollcall bewaart versleuteld de sessie die {provider} daarvoor opent, en de naam, het e-mailadres en het telefoonnummer van het account.",
    secret:
      "Rollcall bewaart de ingevoerde sleutel versleuteld, omdat {provider} er bij elke opvraging om vraagt, en ook de naam, het e-mailadres en het telefoonnummer van het account.",
    grant:
      "U logt in bij {provider}, en Rollcall ziet uw wachtwoord nooit. Rollcall bewaart versleuteld de toegang die {provider} verleent, en de naam, het e-mailadres en het telefoonnummer van het account.",
    settings: "Wat u kiest bij “{fields}”, wordt versleuteld bewaard zolang de koppeling bestaat.",
    data: "Gegevens die {client} leest, worden na het ophalen maximaal 14 dagen versleuteld bewaard. Als {client} bericht krijgt van wijzigingen, blijft de meest recente lijst van medewerkers ter vergelijking bewaard zolang de koppeling bestaat.",
    end: "Wilt u de koppeling verbreken, vraag dat dan aan {client}: de toegang eindigt direct, en de sessie en de gegevens worden hier gewist. Als u bij {provider} uw wachtwoord wijzigt of de sleutel intrekt, eindigt de toegang meestal ook.",
    after: "Voor gegevens die {client} al heeft gelezen, is {client} zelf verantwoordelijk.",
  },
  working: {
    text: "{provider} controleert wat u hebt ingevoerd. Dat duurt meestal enkele seconden en zelden langer dan een minuut.",
    stay: "U hoeft niets te doen: deze pagina gaat automatisch verder. Tot die tijd wordt er niets met {client} gedeeld.",
    refresh: "Nu controleren",
  },
  approval: {
    stay: "Zodra u de aanmelding hebt goedgekeurd, gaat deze pagina automatisch verder; dat kan een halve minuut duren. Tot die tijd wordt er niets met {client} gedeeld.",
  },
  refusals: {
    incorrect_username_or_password:
      "{provider} heeft deze inloggegevens niet geaccepteerd ({fields}). Controleer wat u hebt ingevoerd en probeer het opnieuw. Bent u uw wachtwoord of sleutel kwijt, stel die dan eerst opnieuw in bij {provider}.",
    incorrect_mfa_or_otp: "Deze code is onjuist of verlopen. Voer een nieuwe code in.",
    reauthentication_required:
      "{provider} heeft de sessie direct na het inloggen beëindigd. Log opnieuw in.",
    additional_account_setup_required:
      "{provider} vraagt eerst nog iets van u, bijvoorbeeld een nieuw wachtwoord. Log in een ander tabblad in bij {provider}, volg de aanwijzingen en probeer het daarna hier opnieuw.",
    captcha_challenge:
      "{provider} vraagt u te bewijzen dat u geen robot bent. Dat kan hier niet. Log één keer in een ander tabblad in bij {provider}, wacht een paar minuten en probeer het daarna hier opnieuw.",
    insufficient_permission:
      "Het inloggen is gelukt, maar dit account mag niet alles lezen waar {client} om vraagt. Log in met een beheerdersaccount of vraag uw beheerder van {provider} om dit account de nodige rechten te geven.",
  },
  problems: {
    choice: "Kies een van de mogelijkheden.",
    "other-account":
      "U bent ingelogd met een ander account van {provider} dan het account waarmee {client} is gekoppeld. Log in met dat account.",
    unapproved:
      "De aanmelding is niet goedgekeurd. Log opnieuw in en keur de aanmelding goed wanneer {provider} daarom vraagt.",
    throttled:
      "Binnen een uur is te vaak zonder succes geprobeerd bij dit account in te loggen. Wat u hebt ingevoerd, is daarom niet aan {provider} doorgegeven. Een browser of netwerk waarmee dit account al eerder is gekoppeld, heeft eigen pogingen, en dat geldt ook voor een persoonlijke link, die de applicatie u kan sturen. Hebt u geen van deze mogelijkheden of zijn die pogingen op, probeer het dan over een uur opnieuw.",
    unavailable:
      "{provider} is niet bereikbaar of overbelast. Er is niets mis met wat u hebt ingevoerd. Probeer het over een paar minuten opnieuw.",
    unsupported:
      "{provider} biedt niet wat voor deze koppeling nodig is. Annuleer en neem contact op met {client}.",
    broken:
      "{provider} heeft een onverwacht antwoord gegeven. Probeer het opnieuw. Gebeurt het nog een keer, neem dan contact op met {client}.",
    interrupted: "De aanmelding is onderbroken voordat {provider} antwoordde. Log opnieuw in.",
  },
  failed: {
    text: "{provider} heeft de aanmelding te vaak geweigerd. Deze poging is daarom beëindigd en er is niets gedeeld. Ga terug naar {client} en begin opnieuw zodra u de juiste gegevens hebt.",
    back: "Terug naar {client}",
  },
  done: {
    text: "{client} is gekoppeld aan {provider}. U kunt deze pagina sluiten en verdergaan in {client}.",
    declined:
      "U hebt de aanmelding geannuleerd. {client} heeft geen toegang gekregen, en wat u hebt ingevoerd is gewist. U kunt deze pagina sluiten of opnieuw beginnen vanuit {client}.",
    declinedAgain:
      "U hebt de aanmelding geannuleerd, en wat u hebt ingevoerd is gewist. De koppeling tussen {client} en {provider} is ongewijzigd. U kunt deze pagina sluiten of opnieuw beginnen vanuit {client}.",
  },
  handover: {
    offer: "Naar een collega sturen",
    title: "Een collega logt voor u in",
    how: "Stuur deze link naar de persoon die de inloggegevens heeft. De link werkt voor één persoon en 60 minuten lang.",
    link: "Link voor uw collega",
    mail: "Een e-mail met de link schrijven",
    mailSubject: "Graag inloggen voor {client}",
    tell: "Geef daarna deze zes cijfers door, per telefoon of persoonlijk, niet in hetzelfde bericht:",
    waiting:
      "Nog niemand heeft de link met de cijfers geopend. Laat deze pagina open: ze gaat automatisch verder.",
    helping: "Uw collega logt in. Laat deze pagina open: ze gaat automatisch verder.",
    back: "Toch zelf inloggen",
    asked: "U wordt gevraagd in te loggen",
    asksProvider:
      "{client} wil gegevens uit {provider} lezen. Wie u deze link heeft gestuurd, vraagt u daarvoor in te loggen.",
    asksAny:
      "{client} wil gegevens uit uw HR- of salarissysteem lezen. Wie u deze link heeft gestuurd, vraagt u daarvoor in te loggen.",
    digits: "Zes cijfers",
    help: "Wie u de link heeft gestuurd, ziet de cijfers op de eigen pagina en geeft ze door per telefoon of persoonlijk. Weet u niet wie dat is, sluit deze pagina dan.",
    wrong: "Deze cijfers kloppen niet. Vraag de persoon die u de link heeft gestuurd.",
    thanks: "Hartelijk dank",
    done: "U bent ingelogd bij {provider}. {client} gaat verder in de browser van de persoon die het u vroeg. U kunt deze pagina sluiten.",
    stopped:
      "Deze aanmelding is beëindigd en er is niets gedeeld. De persoon die het u vroeg, kan u een nieuwe link sturen.",
  },
  accesses: {
    choose:
      "Hier ziet u welke applicaties via Rollcall gegevens uit uw HR- of salarisaccount lezen, en kunt u hun toegang beëindigen. Kies eerst het systeem waar het account bij hoort.",
    noneFound: "Geen resultaten voor “{search}”. Controleer de spelling.",
    nothing: "Hier kan bij geen enkel systeem worden ingelogd.",
    asks: "Log in bij {provider} om te zien welke applicaties gegevens uit dit account mogen lezen, en om hun toegang te beëindigen. Gebruik het account waarmee u de applicaties hebt gekoppeld. Door hier in te loggen wordt er niets gedeeld.",
    submit: "Inloggen",
    cancel: "Annuleren",
    stay: "U hoeft niets te doen: deze pagina gaat automatisch verder.",
    list: "Deze applicaties mogen via Rollcall gegevens uit uw account van {provider} lezen:",
    still: "Deze applicaties hebben nog toegang tot uw account van {provider}:",
    none: "Geen enkele applicatie mag via Rollcall gegevens uit dit account van {provider} lezen.",
    since: "Toegang sinds {date}",
    reads: "Leest: {scopes}",
    end: "Toegang beëindigen",
    endOf: "van {client}",
    settings: "Instellingen",
    settingsWhy:
      "Deze instellingen bepalen hoe {client} uw gegevens leest. Een wijziging geldt vanaf de volgende keer dat ze worden opgehaald, zonder opnieuw in te loggen.",
    save: "Opslaan",
    saved: "De instellingen zijn opgeslagen.",
    endTitle: "Toegang van {client} beëindigen?",
    stops:
      "{client} kan daarna niets meer lezen uit uw account van {provider}. De toegang eindigt direct, en de sessie en de hier bewaarde gegevens worden gewist. Voor gegevens die al gelezen zijn, is {client} zelf verantwoordelijk. Een nieuwe koppeling begint u in {client}.",
    othersStay: "De toegang van deze applicaties blijft: {clients}.",
    keep: "Toegang behouden",
    ended: "De toegang is beëindigd.",
    ends: "De toegang eindigt direct, en de sessie en de hier bewaarde gegevens worden gewist. Voor gegevens die al gelezen zijn, is de applicatie zelf verantwoordelijk.",
    missing:
      "Ontbreekt er een? Toegang die met een ander account of een andere sleutel is gegeven, staat hier niet, en toegang van vóór het bestaan van deze pagina ook niet. Vraag de applicatie dan om de koppeling te verbreken.",
    signOut: "Uitloggen",
    closed: "Deze browser heeft geen toegang meer tot deze pagina.",
    again: "Opnieuw inloggen",
    failed: "{provider} heeft de aanmelding te vaak geweigerd. Deze poging is daarom beëindigd.",
    link: "Toegang bekijken en beëindigen",
    kept: "U kunt de toegang ook op elk moment zelf beëindigen:",
  },
  errors: {
    expired:
      "Voor uw veiligheid staat een aanmelding maar beperkte tijd open. Ga terug naar de applicatie van waaruit u deze pagina hebt geopend en begin opnieuw.",
    used: "Een link werkt één keer, in één browser. Als u al bent begonnen met inloggen, ga dan verder in de browser waarin u bent begonnen. Ga anders terug naar de applicatie van waaruit u deze pagina hebt geopend en vraag een nieuwe link aan.",
    unknown:
      "De aanmelding is beëindigd of verlopen, of is in een andere browser begonnen. Ga terug naar de applicatie van waaruit u deze pagina hebt geopend en begin opnieuw. Komt u weer op deze pagina uit, controleer dan of uw browser hier cookies toestaat.",
    nowhere:
      "Op dit adres is geen pagina. Controleer de spelling of ga terug naar de vorige pagina.",
    home: "Naar de startpagina",
    link: "De link is onvolledig of onjuist. Er is niets gedeeld. Ga terug naar de applicatie van waaruit u deze pagina hebt geopend en probeer het opnieuw. Gebeurt het nog een keer, neem dan contact op met de helpdesk van de applicatie.",
    detail: "Voor de ontwikkelaars van de applicatie:",
    clientUnknown: "client_id is onbekend.",
    redirectUnknown:
      "redirect_uri komt met geen van de geregistreerde adressen van de client precies overeen. Gebruikelijke oorzaken: een schuine streep aan het einde, http in plaats van https, localhost in plaats van 127.0.0.1.",
    repeated: "client_id of redirect_uri ontbreekt of komt meer dan één keer voor.",
    forged:
      "Het is niet verstuurd vanaf deze pagina zoals die aan u is getoond. Er is niets aan uw systeem doorgegeven.",
    tooMany:
      "Er zijn te veel verzoeken vanuit uw netwerk gekomen. Wacht een minuut en probeer het dan opnieuw.",
    unavailable:
      "De aanmelding kan op dit moment niet worden getoond. Probeer het over een minuut opnieuw.",
    server:
      "De fout ligt bij ons. Probeer het over een minuut opnieuw. Gebeurt het nog een keer, neem dan contact op met de helpdesk van de applicatie van waaruit u deze pagina hebt geopend.",
    reference: "Vermeld dit kenmerk als u om hulp vraagt: {reference}",
    again: "Opnieuw proberen",
    reopen: "De aanmelding opnieuw openen",
  },
  footer: {
    about: "Rollcall koppelt applicaties aan HR- en salarissystemen, alleen om te lezen.",
    operator: "Beheerd door {operator}",
    language: "Taal",
    privacy: "Privacy",
    imprint: "Colofon",
    support: "Hulp",
  },
  adapters: {
    "There is no such address. Please check its spelling.":
      "Dit adres bestaat niet. Controleer de spelling.",
    "This address could not be looked up. Please check its spelling, or try again in a few minutes.":
      "Dit adres kon niet worden opgezocht. Controleer de spelling of probeer het over een paar minuten opnieuw.",
    "Nothing answers at this address. Please check its spelling, and the port if it has one.":
      "Er reageert niets op dit adres. Controleer de spelling en, als die erin staat, de poort.",
    "Nothing has answered at this address in time. Please check whether it can be reached from the internet, or try again in a few minutes.":
      "Er kwam niet op tijd antwoord van dit adres. Controleer of het vanaf internet bereikbaar is of probeer het over een paar minuten opnieuw.",
    "The certificate of this address is not valid, so nothing was sent there. Please check the spelling of the address.":
      "Het certificaat van dit adres is niet geldig, daarom is er niets naartoe gestuurd. Controleer de spelling van het adres.",
    "Something else answers at this address. Please check it.":
      "Op dit adres reageert een ander systeem. Controleer het adres.",
    "This address leads to another one. Please type the one that your browser shows when you use the system.":
      "Dit adres verwijst door naar een ander adres. Vul het adres in dat uw browser toont wanneer u het systeem gebruikt.",
    "The server at this address fails at the moment. Please check the address, or try again in a few minutes.":
      "De server op dit adres heeft op dit moment een storing. Controleer het adres of probeer het over een paar minuten opnieuw.",
    "Nothing that can be connected was found at this address. Please check it, or ask your administrator.":
      "Op dit adres is niets gevonden dat kan worden gekoppeld. Controleer het adres of vraag uw beheerder.",
    "Too many addresses were tried from your network within an hour. Please try again in an hour.":
      "Vanuit uw netwerk zijn binnen een uur te veel adressen geprobeerd. Probeer het over een uur opnieuw.",
    "Please fill in this field.": "Vul dit veld in.",
    "Please choose one of these.": "Kies een van de mogelijkheden.",
    "Please type less in this field.": "Vul in dit veld minder tekst in.",
    "This address cannot be used. It has to be public and to begin with https.":
      "Dit adres kan niet worden gebruikt. Het moet openbaar bereikbaar zijn en met https beginnen.",
    "User name": "Gebruikersnaam",
    Password: "Wachtwoord",
    "API key": "API-sleutel",
    Email: "E-mailadres",
    "Six-digit code from your authenticator app": "Zescijferige code uit uw authenticator-app",
  },
};
