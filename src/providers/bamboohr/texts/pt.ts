export const pt = {
  "Company domain": "Domínio da empresa",
  "The part before .bamboohr.com in the address that your browser shows.":
    "A parte antes de .bamboohr.com no endereço que o seu navegador mostra.",
  "Please type the part before .bamboohr.com, such as example.":
    "Introduza a parte antes de .bamboohr.com, por exemplo example.",
  "In BambooHR, click your profile picture and choose API Keys. A key is shown once.":
    "Em BambooHR, clique na sua foto de perfil e escolha API Keys. Uma chave só é mostrada uma vez.",
  "There is no BambooHR account with this domain.":
    "Não existe nenhuma conta de BambooHR com este domínio.",
  "This is another company than the one that is connected. Please use the same domain as before.":
    "Esta empresa não é a que está ligada. Utilize o mesmo domínio que antes.",
};
