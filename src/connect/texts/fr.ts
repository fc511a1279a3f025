import type { Texts } from "./en.ts";

/** Before a colon, a semicolon and inside quotation marks stands the space that does not break. */
export const fr: Texts = {
  language: "Français",
  title: {
    choose: "Choisissez votre logiciel RH ou de paie",
    signIn: "Se connecter à {provider}",
    working: "Connexion à {provider} en cours",
    question: "Encore une étape",
    approval: "Approuvez la connexion",
    failed: "La connexion a échoué",
    done: "La liaison est établie",
    declined: "Rien n’a été partagé",
    expired: "Cette session de connexion a expiré",
    used: "Ce lien a déjà été utilisé",
    unknown: "Cette session de connexion n’est plus ouverte",
    nowhere: "Il n’y a rien ici",
    link: "Ce lien ne fonctionne pas",
    forged: "Ce formulaire ne peut pas être traité",
    tooMany: "Un instant, s’il vous plaît",
    trouble: "Un problème est survenu",
    accesses: "Applications ayant accès",
    closed: "Déconnexion effectuée",
    problem: "Problème : {title}",
  },
  consent: {
    asks: "{client} utilise Rollcall pour lire des données de votre logiciel RH ou de paie. Choisissez celui que votre entreprise utilise.",
    asksProvider:
      "{client} utilise Rollcall pour lire des données de {provider}. Vous l’autorisez en vous connectant ici à {provider}.",
    asksElsewhere: "{client} utilise Rollcall pour lire des données de {provider}.",
    asksAgain:
      "{client} vous demande de vous reconnecter à {provider} afin de pouvoir continuer à lire les mêmes données. Veuillez utiliser le même compte que la fois précédente.",
    wants: "{client} souhaite lire :",
    allows: "En vous connectant, vous autorisez {client} à lire :",
    scope: "{name} : {holds}",
    details: "Détails",
    readOnly: "Accès en lecture seule : rien n’est modifié dans votre logiciel.",
    lacks: "{provider} n’a pas ces données ou ne peut pas nous les donner : {data}.",
    lasts: "L’accès dure jusqu’à ce que vous ou {client} y mettiez fin.",
    returns: "Vous serez ensuite redirigé vers {host}.",
    returnsHere: "Vous reviendrez ensuite à l’application sur cet ordinateur.",
    purpose: "L’usage qu’en fera {client}, selon ses propres termes : « {purpose} »",
    privacy: "Politique de confidentialité de {client}",
    support: "Assistance de {client}",
  },
  employeeData: {
    contact: "coordonnées",
    job: "poste",
    pay: "rémunération",
    bank_account: "compte bancaire",
    tax_id: "numéro fiscal",
    date_of_birth: "date de naissance",
    nationality: "nationalité",
    gender: "sexe",
    ethnicity: "origine ethnique",
    marital_status: "situation familiale",
    relatives: "proches",
    emergency: "contacts d’urgence",
  },
  scopes: {
    company: { name: "Entreprise", holds: "nom, numéro fiscal, adresse" },
    employee: { name: "Fiches individuelles de salariés" },
    employees: { name: "Salariés" },
    groups: { name: "Groupes", holds: "services et équipes" },
    identity: {
      name: "Votre compte",
      holds: "votre nom, votre adresse e-mail et votre numéro de téléphone",
    },
    payruns: { name: "Cycles de paie", holds: "périodes et dates de versement" },
    "payruns/:payrun_id": { name: "Bulletins de paie", holds: "rémunération, impôts et retenues" },
    "time-off-balances": { name: "Soldes de congés", holds: "jours pris et jours restants" },
    "time-off-entries": { name: "Absences", holds: "congés, arrêts maladie et autres absences" },
    timesheets: { name: "Temps de travail", holds: "heures travaillées" },
    "work-locations": { name: "Lieux de travail", holds: "noms et adresses" },
  },
  test: {
    band: "Test : aucune donnée réelle",
    refused: "user_bad_password est toujours refusé ; essayez user_good.",
    otp: "Dans le bac à sable, le code est 123456.",
  },
  choose: {
    search: "Rechercher votre logiciel",
    submit: "Rechercher",
    none: "Aucun résultat pour « {search} ». Vérifiez l’orthographe ou signalez à {client} que votre logiciel manque.",
    nothing: "Aucun logiciel n’est proposé. Veuillez le signaler à {client}.",
    count: { one: "1 logiciel", other: "{count} logiciels" },
  },
  form: {
    submit: "Se connecter et autoriser",
    answer: "Continuer",
    decline: "Annuler et revenir à {client}",
    other: "Choisir un autre logiciel",
    show: "Afficher",
    hide: "Masquer",
    otpWhy: "{provider} souhaite s’assurer qu’il s’agit bien de vous.",
    askWhy: "{provider} a besoin d’une information supplémentaire.",
    again:
      "Rien n’a été transmis : cette page est restée ouverte trop longtemps, ou votre navigateur n’a pas envoyé de cookie avec le formulaire. Veuillez le remplir à nouveau. Si ce message s’affiche deux fois, autorisez les cookies pour cette page.",
    wrongAnswer: "{provider} n’a pas accepté cette réponse. Veuillez réessayer.",
    guide: "Comment relier {provider}",
    found: "Votre {system} a été trouvé à l’adresse {address}.",
    settings: "Réglages que vous pouvez laisser tels quels",
    otherAddress: "Modifier l’adresse",
    where: "Où le trouver",
    newTab: "s’ouvre dans un nouvel onglet",
    secret: {
      passed: "Rollcall transmet cette saisie une seule fois à {provider} et ne la conserve pas.",
      kept: "Rollcall conserve cette saisie, chiffrée, et l’envoie à {provider} à chaque requête.",
      simulated:
        "{provider} n’est pas un vrai logiciel : cette saisie n’est ni transmise ni conservée.",
    },
    unseen: "{client} ne la voit jamais.",
  },
  recipe: {
    share: "Cette explication sous forme de page à envoyer à un collègue",
    shared:
      "Cette page s’adresse à la personne qui détient la clé ou le mot de passe de {provider}. Ces données se saisissent uniquement sur la page de connexion : ne les envoyez ni par courriel ni par messagerie. La personne qui vous a envoyé cette page peut ouvrir la connexion avec vous.",
    rights: "Quels droits choisir",
    ending: "Comment mettre fin à l’accès dans {provider} par la suite",
    drawn: "Les dessins sont simplifiés. Votre {provider} peut avoir un autre aspect.",
    drawing: "Dessin. Élément marqué : {label}.",
  },
  elsewhere: {
    submit: "Continuer vers {provider}",
    text: "Vous vous connectez sur la page de {provider} et y approuvez l’accès. Vous revenez ensuite ici.",
    working:
      "Rollcall termine la connexion avec {provider}. Cela prend en général quelques secondes.",
  },
  kept: {
    title: "Données conservées, durée et révocation",
    session:
      "Votre mot de passe sert une seule fois, pour la connexion, et n’est pas conservé. Rollcall conserve, chiffrés, la session que {provider} ouvre en retour, ainsi que le nom, l’adresse e-mail et le numéro de téléphone du compte.",
    secret:
      "Rollcall conserve, chiffrée, la clé que vous saisissez, car {provider} la demande à chaque requête, ainsi que le nom, l’adresse e-mail et le numéro de téléphone du compte.",
    grant:
      "Vous vous connectez chez {provider}, et Rollcall ne voit jamais votre mot de passe. Rollcall enregistre, sous forme chiffrée, l’accès que {provider} accorde, ainsi que le nom, l’adresse e-mail et le numéro de téléphone du compte.",
    settings:
      "Ce que vous choisissez pour « {fields} » est conservé, chiffré, tant que dure la liaison.",
    data: "Les données lues par {client} sont conservées, chiffrées, jusqu’à 14 jours après leur récupération. Si {client} est informé des changements, la dernière liste des salariés est conservée à titre de comparaison tant que dure la liaison.",
    end: "Pour mettre fin à la liaison, adressez-vous à {client} : l’accès cesse aussitôt, et la session et les données sont effacées ici. Changer votre mot de passe ou révoquer la clé chez {provider} y met généralement fin aussi.",
    after: "{client} est responsable des données déjà lues.",
  },
  working: {
    text: "{provider} vérifie votre saisie. Cela prend généralement quelques secondes et rarement plus d’une minute.",
    stay: "Vous n’avez rien à faire : cette page se met à jour automatiquement. D’ici là, rien n’est partagé avec {client}.",
    refresh: "Vérifier maintenant",
  },
  approval: {
    stay: "Une fois la connexion approuvée, cette page se met à jour automatiquement, ce qui peut prendre une demi-minute. D’ici là, rien n’est partagé avec {client}.",
  },
  refusals: {
    incorrect_username_or_password:
      "{provider} n’a pas accepté ces identifiants ({fields}). Vérifiez votre saisie et réessayez. Si vous avez perdu votre mot de passe ou votre clé, réinitialisez-les d’abord chez {provider}.",
    incorrect_mfa_or_otp: "Ce code est incorrect ou a expiré. Veuillez en saisir un nouveau.",
    reauthentication_required:
      "{provider} a fermé la session juste après la connexion. Veuillez vous reconnecter.",
    additional_account_setup_required:
      "{provider} exige d’abord une autre démarche, par exemple le choix d’un nouveau mot de passe. Connectez-vous à {provider} dans un autre onglet, suivez les instructions, puis réessayez ici.",
    captcha_challenge:
      "{provider} demande de prouver que vous n’êtes pas un robot, ce qui n’est pas possible ici. Connectez-vous une fois à {provider} dans un autre onglet, attendez quelques minutes, puis réessayez ici.",
    insufficient_permission:
      "La connexion a réussi, mais ce compte n’est pas autorisé à lire tout ce que {client} demande. Connectez-vous avec un compte administrateur, ou demandez à votre administrateur {provider} d’accorder les droits nécessaires à celui-ci.",
  },
  problems: {
    choice: "Veuillez choisir l’une des options.",
    "other-account":
      "Vous vous êtes connecté à un autre compte {provider} que celui qui a été relié à {client}. Veuillez vous connecter avec ce compte.",
    unapproved:
      "La connexion n’a pas été approuvée. Reconnectez-vous et approuvez-la lorsque {provider} vous le demande.",
    throttled:
      "Trop de connexions à ce compte ont échoué en une heure : votre saisie n’a donc pas été transmise à {provider}. Un navigateur ou un réseau où ce compte a déjà été connecté dispose de ses propres essais, tout comme un lien personnel que l’application peut vous envoyer. Si vous n’avez rien de cela, ou si ces essais sont épuisés, veuillez réessayer dans une heure.",
    unavailable:
      "{provider} ne répond pas ou est surchargé. Votre saisie n’est pas en cause. Veuillez réessayer dans quelques minutes.",
    unsupported:
      "{provider} ne propose pas ce qui est nécessaire à cette liaison. Veuillez annuler et le signaler à {client}.",
    broken:
      "{provider} a répondu de façon inattendue. Veuillez réessayer. Si cela se reproduit, signalez-le à {client}.",
    interrupted:
      "La connexion a été interrompue avant la réponse de {provider}. Veuillez vous reconnecter.",
  },
  failed: {
    text: "{provider} a refusé la connexion un trop grand nombre de fois : cette tentative est terminée et rien n’a été partagé. Revenez à {client} et recommencez lorsque vous aurez les bons identifiants.",
    back: "Revenir à {client}",
  },
  done: {
    text: "La liaison entre {client} et {provider} est établie. Vous pouvez fermer cette page et continuer dans {client}.",
    declined:
      "Vous avez annulé la connexion. {client} n’a obtenu aucun accès et votre saisie a été effacée. Vous pouvez fermer cette page ou recommencer depuis {client}.",
    declinedAgain:
      "Vous avez annulé la connexion et votre saisie a été effacée. La liaison entre {client} et {provider} reste inchangée. Vous pouvez fermer cette page ou recommencer depuis {client}.",
  },
  handover: {
    offer: "Envoyer à un collègue",
    title: "Une autre personne se connecte pour vous",
    how: "Envoyez ce lien à la personne qui a les identifiants. Il est valable pour une seule personne et pendant 60 minutes.",
    link: "Lien pour votre collègue",
    mail: "Écrire un courriel avec le lien",
    mailSubject: "Merci de vous connecter pour {client}",
    tell: "Communiquez-lui ensuite ces six chiffres par téléphone ou de vive voix, pas dans le même message :",
    waiting:
      "Personne ne l’a encore ouvert avec les chiffres. Gardez cette page ouverte : elle se met à jour automatiquement.",
    helping:
      "Votre collègue est en train de se connecter. Gardez cette page ouverte : elle se met à jour automatiquement.",
    back: "Me connecter moi-même",
    asked: "On vous demande de vous connecter",
    asksProvider:
      "{client} souhaite lire des données de {provider}. La personne qui vous a envoyé ce lien vous demande de vous connecter à sa place.",
    asksAny:
      "{client} souhaite lire des données de votre système RH ou de paie. La personne qui vous a envoyé ce lien vous demande de vous connecter à sa place.",
    digits: "Six chiffres",
    help: "La personne qui vous a envoyé le lien les voit sur sa page et vous les communique par téléphone ou de vive voix. Si vous ne savez pas de qui il s’agit, fermez cette page.",
    wrong: "Ces chiffres ne sont pas les bons. Demandez à la personne qui vous a envoyé le lien.",
    thanks: "Merci",
    done: "Vous êtes connecté à {provider}. {client} continue dans le navigateur de la personne qui vous l’a demandé. Vous pouvez fermer cette page.",
    stopped:
      "Cette connexion est terminée et rien n’a été partagé. La personne qui vous l’a demandée peut vous envoyer un nouveau lien.",
  },
  accesses: {
    choose:
      "Vous pouvez voir ici quelles applications lisent des données de votre compte RH ou de paie au moyen de Rollcall, et mettre fin à leur accès. Choisissez d’abord le logiciel auquel appartient le compte.",
    noneFound: "Aucun résultat pour « {search} ». Vérifiez l’orthographe.",
    nothing: "Aucun logiciel ne permet de se connecter ici.",
    asks: "Connectez-vous à {provider} pour voir quelles applications peuvent lire des données de ce compte et pour mettre fin à leur accès. Utilisez le compte avec lequel vous les avez reliées. Rien n’est partagé lors de cette connexion.",
    submit: "Se connecter",
    cancel: "Annuler",
    stay: "Vous n’avez rien à faire : cette page se met à jour automatiquement.",
    list: "Ces applications peuvent lire des données de votre compte {provider} au moyen de Rollcall :",
    still: "Ces applications ont toujours accès à votre compte {provider} :",
    none: "Aucune application ne peut lire de données de ce compte {provider} au moyen de Rollcall.",
    since: "Accès depuis le {date}",
    reads: "Données lues : {scopes}",
    end: "Mettre fin à l’accès",
    endOf: "de {client}",
    settings: "Réglages",
    settingsWhy:
      "Ces réglages déterminent comment {client} lit vos données. Une modification s’applique dès la prochaine lecture, sans nouvelle connexion.",
    save: "Enregistrer",
    saved: "Les réglages ont été enregistrés.",
    endTitle: "Mettre fin à l’accès de {client} ?",
    stops:
      "{client} ne pourra alors plus rien lire dans votre compte {provider}. L’accès prend fin immédiatement, et la session ainsi que les données enregistrées ici sont supprimées. {client} est responsable des données déjà lues. Pour établir une nouvelle liaison, recommencez depuis {client}.",
    othersStay: "Sans effet sur l’accès de : {clients}.",
    keep: "Conserver l’accès",
    ended: "L’accès a pris fin.",
    ends: "L’accès cesse aussitôt, et la session et les données conservées ici sont effacées. Chaque application est responsable des données qu’elle a déjà lues.",
    missing:
      "Une application manque ? Les accès accordés avec un autre compte ou une autre clé ne figurent pas ici, ni ceux accordés avant l’existence de cette page. Demandez à l’application de supprimer la liaison.",
    signOut: "Se déconnecter",
    closed: "Ce navigateur n’a plus accès à cette page.",
    again: "Se reconnecter",
    failed:
      "{provider} a refusé la connexion un trop grand nombre de fois. Cette tentative est terminée.",
    link: "Voir les accès et y mettre fin",
    kept: "Vous pouvez aussi mettre fin à l’accès vous-même, à tout moment :",
  },
  errors: {
    expired:
      "Pour votre sécurité, une session de connexion ne reste ouverte que pendant un temps limité. Revenez à l’application depuis laquelle vous avez ouvert cette page et recommencez.",
    used: "Un lien ne sert qu’une fois, dans un seul navigateur. Si vous avez déjà commencé, poursuivez dans le navigateur où vous avez commencé. Sinon, revenez à l’application depuis laquelle vous avez ouvert cette page et demandez un nouveau lien.",
    unknown:
      "Elle est peut-être terminée ou expirée, ou bien elle a été ouverte dans un autre navigateur. Revenez à l’application depuis laquelle vous avez ouvert cette page et recommencez. Si vous retombez sur cette page, vérifiez que votre navigateur y autorise les cookies.",
    nowhere:
      "Aucune page ne se trouve à cette adresse. Vérifiez son orthographe ou revenez à la page précédente.",
    home: "Aller à la page d’accueil",
    link: "Le lien est incomplet ou incorrect. Rien n’a été partagé. Revenez à l’application depuis laquelle vous avez ouvert cette page et réessayez. Si cela se reproduit, contactez son assistance.",
    detail: "À l’attention de ses développeurs :",
    clientUnknown: "client_id est inconnu.",
    redirectUnknown:
      "redirect_uri ne correspond exactement à aucune des adresses enregistrées du client. Causes fréquentes : une barre oblique à la fin, http au lieu de https, localhost au lieu de 127.0.0.1.",
    repeated: "client_id ou redirect_uri manque ou figure plusieurs fois.",
    forged:
      "Il n’a pas été envoyé depuis cette page telle qu’elle vous a été affichée. Rien n’a été transmis à votre logiciel.",
    tooMany:
      "Trop de requêtes proviennent de votre réseau. Veuillez patienter une minute, puis réessayer.",
    unavailable:
      "La page de connexion ne peut pas être affichée pour le moment. Veuillez réessayer dans une minute.",
    server:
      "L’erreur vient de nous. Veuillez réessayer dans une minute. Si cela se reproduit, prévenez l’assistance de l’application depuis laquelle vous avez ouvert cette page.",
    reference: "Si vous demandez de l’aide, indiquez cette référence : {reference}",
    again: "Réessayer",
    reopen: "Rouvrir la page de connexion",
  },
  footer: {
    about: "Rollcall relie des applications aux logiciels RH et de paie, en lecture seule.",
    operator: "Exploité par {operator}",
    privacy: "Confidentialité",
    imprint: "Mentions légales",
    support: "Assistance",
    language: "Langue",
  },
  adapters: {
    "There is no such address. Please check its spelling.":
      "Cette adresse n’existe pas. Veuillez vérifier son orthographe.",
    "This address could not be looked up. Please check its spelling, or try again in a few minutes.":
      "Cette adresse n’a pas pu être recherchée. Veuillez vérifier son orthographe ou réessayer dans quelques minutes.",
    "Nothing answers at this address. Please check its spelling, and the port if it has one.":
      "Cette adresse ne répond pas. Veuillez vérifier son orthographe et, le cas échéant, le port.",
    "Nothing has answered at this address in time. Please check whether it can be reached from the internet, or try again in a few minutes.":
      "Cette adresse n’a pas répondu à temps. Veuillez vérifier qu’elle est accessible depuis Internet ou réessayer dans quelques minutes.",
    "The certificate of this address is not valid, so nothing was sent there. Please check the spelling of the address.":
      "Le certificat de cette adresse n’est pas valide : rien n’y a été envoyé. Veuillez vérifier l’orthographe de l’adresse.",
    "Something else answers at this address. Please check it.":
      "Un autre système répond à cette adresse. Veuillez la vérifier.",
    "This address leads to another one. Please type the one that your browser shows when you use the system.":
      "Cette adresse renvoie vers une autre. Veuillez saisir celle que votre navigateur affiche lorsque vous utilisez le système.",
    "The server at this address fails at the moment. Please check the address, or try again in a few minutes.":
      "Le serveur de cette adresse est en panne pour le moment. Veuillez vérifier l’adresse ou réessayer dans quelques minutes.",
    "Nothing that can be connected was found at this address. Please check it, or ask your administrator.":
      "Rien qui puisse être relié n’a été trouvé à cette adresse. Veuillez la vérifier ou demander à votre administrateur.",
    "Too many addresses were tried from your network within an hour. Please try again in an hour.":
      "Trop d’adresses ont été essayées depuis votre réseau en une heure. Veuillez réessayer dans une heure.",
    "Please fill in this field.": "Veuillez remplir ce champ.",
    "Please choose one of these.": "Veuillez choisir l’une des options.",
    "Please type less in this field.": "Veuillez raccourcir la saisie dans ce champ.",
    "This address cannot be used. It has to be public and to begin with https.":
      "Cette adresse ne peut pas être utilisée. Elle doit être publique et commencer par https.",
    "User name": "Nom d’utilisateur",
    Password: "Mot de passe",
    "API key": "Clé d’API",
    Email: "Adresse e-mail",
    "Six-digit code from your authenticator app":
      "Code à six chiffres de votre application d’authentification",
  },
};
